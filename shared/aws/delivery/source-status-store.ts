import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { SourceStatus, SourceStatusStore } from "../../ports.ts";
import { dynamodb, whether } from "../dynamodb.ts";
import { variable } from "../environment.ts";

export function sourceStatusStore(): SourceStatusStore {
  const TableName = variable("sourceStatusTable");
  return {
    async statusOf(sourceId) {
      // The archive stage has written it a moment ago.
      const { Item } = await dynamodb.send(
        new GetCommand({ TableName, Key: { sourceId }, ConsistentRead: true }),
      );
      return Item as SourceStatus | undefined;
    },
    async added(sourceId, at) {
      await dynamodb.send(
        new UpdateCommand({
          TableName,
          Key: { sourceId },
          UpdateExpression: "SET addedAt = if_not_exists(addedAt, :at)",
          ExpressionAttributeValues: { ":at": at },
        }),
      );
    },
    async delivered(sourceId, at) {
      await whether(
        dynamodb.send(
          new UpdateCommand({
            TableName,
            Key: { sourceId },
            UpdateExpression: "SET lastDeliveredAt = :at",
            ConditionExpression: "attribute_not_exists(lastDeliveredAt) OR lastDeliveredAt < :at",
            ExpressionAttributeValues: { ":at": at },
          }),
        ),
      );
    },
  };
}
