import { PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { historyDays, type PastCheck } from "../../links/check/history.ts";
import type { LinkHistory } from "../../ports.ts";
import { dynamodb, expiresAfter, whether } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/** Checks of records: partition key `recordId`, sort key `check`, which begins with the time. */
export function linkHistory(): LinkHistory {
  const TableName = variable("linkChecksTable");
  return {
    async add(check) {
      const { recordId, askedAt, checkId } = check;
      const expiresAt = expiresAfter(askedAt, historyDays);
      await whether(
        dynamodb.send(
          new PutCommand({
            TableName,
            Item: { recordId, check: `${askedAt}#${checkId}`, value: check, expiresAt },
            ConditionExpression: "attribute_not_exists(recordId)",
          }),
        ),
      );
    },
    async latest(recordId, limit) {
      const { Items = [] } = await dynamodb.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: "recordId = :recordId",
          ExpressionAttributeValues: { ":recordId": recordId },
          ScanIndexForward: false,
          Limit: limit,
        }),
      );
      return Items.map(({ value }) => value as PastCheck);
    },
  };
}
