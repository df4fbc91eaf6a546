import { putIf, queryFirst, ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { historyDays, type LinkHistory, type PastCheck } from "../check/check-history.ts";

/** Checks of records: partition key `recordId`, sort key `check`, which begins with the time. */
export function linkHistory(): LinkHistory {
  const TableName = variable("linkChecksTable");
  return {
    async add(check) {
      const { recordId, requestedAt, checkId } = check;
      const expiresAt = ttlAfter(requestedAt, historyDays);
      await putIf({
        TableName,
        Item: { recordId, check: `${requestedAt}#${checkId}`, value: check, expiresAt },
        ConditionExpression: "attribute_not_exists(recordId)",
      });
    },
    // A page of a query ends at 1 MB, and a check may hold ten long URLs.
    async latest(recordId, limit) {
      const query = {
        TableName,
        KeyConditionExpression: "recordId = :recordId",
        ExpressionAttributeValues: { ":recordId": recordId },
        ScanIndexForward: false,
      };
      return (await queryFirst<{ value: PastCheck }>(query, limit)).map(({ value }) => value);
    },
  };
}
