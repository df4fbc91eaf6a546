import { getItem, putItem, ttlAfter, updateIf } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import type { Detection, DetectionResult, DetectionStore } from "../detect/detection.ts";

/** Operators wait for the result. */
const keptDays = 1;

/** Partition key `detectionId`. */
export function detectionStore(): DetectionStore {
  const TableName = variable("detectionsTable");
  return {
    async create(detection) {
      const expiresAt = ttlAfter(detection.requestedAt, keptDays);
      await putItem({ TableName, Item: { ...detection, expiresAt } });
    },
    async finish(detectionId, result) {
      await updateIf({
        TableName,
        Key: { detectionId },
        UpdateExpression: "SET #result = if_not_exists(#result, :result)",
        ConditionExpression: "attribute_exists(detectionId)",
        ExpressionAttributeNames: { "#result": "result" },
        ExpressionAttributeValues: { ":result": result },
      });
    },
    async get(detectionId) {
      const item = await getItem<Detection & { expiresAt: number; result?: DetectionResult }>({
        TableName,
        Key: { detectionId },
        ConsistentRead: true,
      });
      if (item === undefined) return undefined;
      const { expiresAt: _expiry, ...detection } = item;
      return detection;
    },
  };
}
