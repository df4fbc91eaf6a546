import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { bodyStore } from "../../shared/adapters/gate/body-store.ts";
import { readDetectionResponse } from "../../shared/harvest/detect/read-detection-response.ts";
import { detectionStore } from "../../shared/harvest/stores/detection-store.ts";
import { recipeTrialStore } from "../../shared/harvest/stores/recipe-trial-store.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse, withoutResponse } from "../../shared/web/request/response.ts";

/** Detects the type of the source to which an address leads, or tries a recipe on its page. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({
    detections: detectionStore(),
    recipeTrials: recipeTrialStore(),
    bodies: bodyStore(),
    requests: requestsQueue(),
  }),
  handle: readDetectionResponse,
  settle: (response, services, reason) => readDetectionResponse(withoutResponse(response, reason), services),
});
