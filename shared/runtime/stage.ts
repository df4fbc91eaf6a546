import { type FailRunPorts, failRun } from "../delivery/fail-run.ts";
import { type Stage, type StageRequest, stageRequest, stageTries } from "../delivery/stages.ts";
import { sqsHandler } from "./sqs.ts";

/** A stage of the delivery: when its last try fails, the run is marked as failed there and the reason is mailed. */
export function stageHandler<Services extends FailRunPorts>(options: {
  stage: Stage;
  services: () => Services;
  handle: (request: StageRequest, services: Services) => Promise<void>;
}) {
  return sqsHandler({
    message: stageRequest,
    services: options.services,
    handle: async (request, services, { receives }) => {
      try {
        await options.handle(request, services);
      } catch (error) {
        if (receives >= stageTries) {
          const reason = error instanceof Error ? error.message : String(error);
          await failRun({ runId: request.runId, stage: options.stage, reason }, services);
        }
        throw error;
      }
    },
  });
}
