import { ThrottledError } from "../core/errors.ts";
import { type FailRunPorts, failRun } from "../delivery/pipeline/fail-run.ts";
import { resumeRun } from "../delivery/pipeline/resume.ts";
import { type Stage, type StageRequest, stageRequest, stageTries } from "../runs/stages.ts";
import { sqsHandler } from "./sqs.ts";

/** The time reserved in the last try to mark the run as failed and request the mail. */
const reserveMs = 15_000;

/**
 * A stage of the delivery. When its last try fails or runs out of time, the run is marked as failed and the reason is
 * mailed. Requested again, the stage continues.
 */
export function stageHandler<Services extends FailRunPorts>(options: {
  stage: Stage;
  services: () => Services;
  handle: (request: StageRequest, services: Services) => Promise<void>;
}) {
  const { stage } = options;
  return sqsHandler({
    message: stageRequest,
    services: options.services,
    handle: async (request, services, { receiveCount, remainingMs }) => {
      try {
        await resumeRun({ runId: request.runId, stage }, services);
        await withTimeout(options.handle(request, services), remainingMs() - reserveMs);
      } catch (error) {
        // An unsent mail of a failure is no failure of the stage: the run may be under way again. Nor is a wait for the
        // worker that has the stage.
        const isStageFailure = request.failure === undefined && !(error instanceof ThrottledError);
        if (receiveCount >= stageTries && isStageFailure) {
          const reason = error instanceof Error ? error.message : String(error);
          await failRun({ runId: request.runId, stage, reason }, services);
        }
        throw error;
      }
    },
  });
}

async function withTimeout(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${Math.round(ms / 1000)} s`)), ms);
  });
  try {
    await Promise.race([work, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
