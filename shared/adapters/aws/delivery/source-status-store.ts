import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { SourceStatus, SourceStatusStore } from "../../../sources/source-status.ts";
import { dynamodb, getItem, updateIf } from "../dynamodb.ts";
import { variable } from "../environment.ts";

export function sourceStatusStore(): SourceStatusStore {
  const TableName = variable("sourceStatusTable");
  return {
    // Consistent: the archive stage has just written it.
    statusOf: (sourceId) => getItem<SourceStatus>({ TableName, Key: { sourceId }, ConsistentRead: true }),
    async markAdded(sourceId, at) {
      await dynamodb.send(
        new UpdateCommand({
          TableName,
          Key: { sourceId },
          UpdateExpression: "SET addedAt = if_not_exists(addedAt, :at)",
          ExpressionAttributeValues: { ":at": at },
        }),
      );
    },
    async markDelivered(sourceId, at) {
      await updateIf({
        TableName,
        Key: { sourceId },
        UpdateExpression: "SET lastDeliveredAt = :at",
        ConditionExpression: "attribute_not_exists(lastDeliveredAt) OR lastDeliveredAt < :at",
        ExpressionAttributeValues: { ":at": at },
      });
    },
  };
}
