import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import type { Detection, DetectionResult, DetectionStore } from "../detect/detection.ts";

/** The retention in days. One day is enough, because operators wait for the result. */
const keptDays = 1;

export function detectionStore(): DetectionStore {
  const detections = table<Detection & { result?: DetectionResult }>({
    variable: "detectionsTable",
    key: (detectionId) => ({ detectionId }),
    hidden: ["expiresAt"],
  });
  return {
    create: (detection) =>
      detections.putItem(detection.detectionId, {
        ...detection,
        expiresAt: ttlAfter(detection.requestedAt, keptDays),
      }),
    async finish(detectionId, result) {
      await detections.updateIf(
        detectionId,
        expression`SET result = if_not_exists(result, ${result})`,
        expression`attribute_exists(detectionId)`,
      );
    },
    get: (detectionId) => detections.get(detectionId),
  };
}
