import { z } from "zod";
import { deliverySortKey, deliverySortKeyPattern } from "../delivery/plan/delivery.ts";
import type { DeliveryStore } from "../delivery/upload/delivery-store.ts";
import { runModes } from "../runs/run.ts";
import { count, time } from "./answer.ts";
import { afterText, next, pageLimit } from "./paging.ts";
import { routesOver, type Subject } from "./route.ts";

export interface DeliveryPorts {
  deliveries: Pick<DeliveryStore, "list">;
}

const delivery = z
  .strictObject({
    groupId: z.string(),
    fileName: z.string().describe("`<group>_zotero_YYMMDD_NNN.xml`"),
    key: z.string().describe("The key in the bucket of deliveries"),
    runId: z.string(),
    runStartedAt: time,
    deliveryMode: z.enum(runModes),
    records: count,
    sizeBytes: count,
    deliveredAt: time,
  })
  .meta({ title: "Delivery" });

const route = routesOver<DeliveryPorts>();

export const deliverySubject: Subject<DeliveryPorts> = {
  title: "Deliveries",
  introduction: "A delivery is one file that was delivered to a group.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/deliveries",
      summary: "Lists delivered files, newest first",
      query: z.strictObject({
        limit: pageLimit({ most: 500, otherwise: 50 }),
        after: z
          .string()
          .regex(deliverySortKeyPattern, "must be the `next` of a page of deliveries")
          .optional()
          .describe(afterText),
      }),
      answers: {
        200: { description: "A page", body: z.strictObject({ deliveries: z.array(delivery), next }) },
      },
      handler:
        ({ deliveries }) =>
        async (context, { query: { limit, after } }) => {
          const found = await deliveries.list({ limit: limit + 1, after });
          const page = found.slice(0, limit);
          const last = found.length > limit ? page.at(-1) : undefined;
          return context.json({ deliveries: page, ...(last && { next: deliverySortKey(last) }) });
        },
    }),
  ],
};
