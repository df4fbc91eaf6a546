import { ThrottledError } from "../core/errors.ts";
import { type FailRunPorts, failRun } from "../delivery/pipeline/fail-run.ts";
import { resumeRun } from "../delivery/pipeline/resume.ts";
import { type Stage, type StageRequest, stageRequest, stageTries } from "../runs/stages.ts";
import { sqsHandler } from "./sqs.ts";

/** What is left at the end of the last try to mark the run as failed and to ask for the mail. */
const reserveMs = 15_000;

/**
 * A stage of the delivery: when its last try fails or runs out of time, the run is marked as failed there and the reason
 * is mailed. Asked for again, it goes on.
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
        // A failure whose mail cannot be sent is no failure of another stage: its run may be under way again.
        // Nor is one that has to wait: who is at work says how it ends.
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
