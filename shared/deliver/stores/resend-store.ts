import { assignments, expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import type { Resend, ResendStore } from "../upload/resend.ts";

/** Stores resends in the table of deliveries, under the kind `resend` and the sort key of the delivery. */
export function resendStore(): ResendStore {
  const resends = table<{ resend: Resend }>({
    variable: "deliveriesTable",
    key: (sortKey) => ({ kind: "resend", sortKey }),
  });
  const get = async (sortKey: string) => (await resends.get(sortKey))?.resend;
  return {
    get,
    async start(sortKey, resend, notBefore) {
      const isStarted = await resends.updateIf(
        sortKey,
        expression`SET resend = ${resend}`,
        expression`attribute_not_exists(sortKey) OR resend.state <> ${"waiting"} OR resend.requestedAt < ${notBefore}`,
      );
      return isStarted ? resend : ((await get(sortKey)) ?? resend);
    },
    async finish(sortKey, resendId, { state, endedAt, reason, remark }) {
      await resends.updateIf(
        sortKey,
        expression`SET ${assignments({ state, endedAt, reason, remark }, "resend")}`,
        expression`resend.resendId = ${resendId} AND resend.state = ${"waiting"}`,
      );
    },
  };
}
