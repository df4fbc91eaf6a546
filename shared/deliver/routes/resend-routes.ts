import * as z from "zod";
import { accept, acceptedAnswer } from "../../api/accepted.ts";
import { problem, refuseUnknown, time } from "../../api/answer.ts";
import { operatorOf } from "../../api/operator.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { Clock } from "../../core/clock.ts";
import { type Delivery, deliverySortKey, deliverySortKeyPattern } from "../stage-results/delivery.ts";
import type { DeliveryStore } from "../stage-results/delivery-store.ts";
import { type Resend, type ResendRequest, type ResendStore, requestResend } from "../upload/resend.ts";

export interface ResendRoutePorts {
  deliveries: Pick<DeliveryStore, "get">;
  resends: Pick<ResendStore, "start" | "get">;
  resendQueue: { send(message: ResendRequest): Promise<void> };
  clock: Clock;
  newId(): string;
}

const params = z.strictObject({ id: z.string().max(1400).describe("The `deliveryId`") });

const resendFields = { by: z.string().describe("The operator"), requestedAt: time };

const route = routesOver<ResendRoutePorts>();

export const resendSubject = {
  title: "Files sent again",
  introduction: "Sends a delivered file to its receiver again, unchanged.",
  audience: "operator",
  routes: [
    route({
      method: "POST",
      path: "/deliveries/{id}/resend",
      summary: "Sends a delivered file to its receiver again",
      details:
        "If the receiver still has the file with the same size, the file is not replaced. A group without a receiver fetches its files from the bucket.",
      params,
      answers: {
        202: acceptedAnswer("The file will be sent", ["waiting"], resendFields),
        404: problem("No such delivery"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const delivery = await findDelivery(id, ports);
          if (delivery === undefined) return refuseUnknown(context, "delivery", id);
          const { by, requestedAt } = await requestResend(delivery, operatorOf(context), ports);
          const result = `/deliveries/${id}/resend`;
          return accept(context, { status: "waiting", result }, { by, requestedAt });
        },
    }),
    route({
      method: "GET",
      path: "/deliveries/{id}/resend",
      summary: "Returns the outcome of the last resend of a file",
      params,
      answers: {
        200: {
          description: "The resend has ended",
          body: z.strictObject({
            status: z.enum(["sent", "failed"]),
            ...resendFields,
            endedAt: time,
            reason: z.string().optional().describe("Why the resend failed"),
            remark: z.string().optional().describe("What an operator should check at the receiver"),
          }),
        },
        202: acceptedAnswer("The resend is waiting; try again", ["waiting"], resendFields),
        404: problem("No such delivery, or its file was never sent again"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const delivery = await findDelivery(id, ports);
          const resend = delivery && (await ports.resends.get(deliverySortKey(delivery)));
          if (resend === undefined) return refuseUnknown(context, "resend of delivery", id);
          const { resendId: _id, state, by, requestedAt, ...end }: Resend = resend;
          if (state !== "waiting") return context.json({ status: state, by, requestedAt, ...end });
          const result = `/deliveries/${id}/resend`;
          return accept(context, { status: state, result }, { by, requestedAt });
        },
    }),
  ],
} satisfies Subject<ResendRoutePorts>;

async function findDelivery(
  id: string,
  { deliveries }: Pick<ResendRoutePorts, "deliveries">,
): Promise<Delivery | undefined> {
  const sortKey = Buffer.from(id, "base64url").toString();
  return deliverySortKeyPattern.test(sortKey) ? deliveries.get(sortKey) : undefined;
}
