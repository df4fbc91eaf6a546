import { getItem, updateIf } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import type { Resend, ResendStore } from "../upload/resend.ts";

/** In the table of deliveries: kind `resend`, and the sort key of the delivery. */
export function resendStore(): ResendStore {
  const TableName = variable("deliveriesTable");
  const keyOf = (sortKey: string) => ({ kind: "resend", sortKey });
  const get = async (sortKey: string) =>
    (await getItem<{ resend: Resend }>({ TableName, Key: keyOf(sortKey), ConsistentRead: true }))?.resend;
  return {
    get,
    async start(sortKey, resend, notBefore) {
      const isStarted = await updateIf({
        TableName,
        Key: keyOf(sortKey),
        UpdateExpression: "SET resend = :resend",
        ConditionExpression:
          "attribute_not_exists(sortKey) OR resend.#state <> :waiting OR resend.requestedAt < :notBefore",
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: { ":resend": resend, ":waiting": "waiting", ":notBefore": notBefore },
      });
      return isStarted ? resend : ((await get(sortKey)) ?? resend);
    },
    async finish(sortKey, resendId, { state, endedAt, reason, remark }) {
      await updateIf({
        TableName,
        Key: keyOf(sortKey),
        UpdateExpression: `SET resend.#state = :state, resend.endedAt = :endedAt${reason === undefined ? "" : ", resend.reason = :reason"}${remark === undefined ? "" : ", resend.remark = :remark"}`,
        ConditionExpression: "resend.resendId = :id AND resend.#state = :waiting",
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: {
          ":state": state,
          ":endedAt": endedAt,
          ":reason": reason,
          ":remark": remark,
          ":id": resendId,
          ":waiting": "waiting",
        },
      });
    },
  };
}
