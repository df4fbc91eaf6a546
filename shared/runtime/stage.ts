import type { Clock } from "../core/clock.ts";
import { ThrottledError } from "../core/errors.ts";
import { type Retry, retryWithin } from "../core/retry.ts";
import { type FailRunPorts, failRun } from "../deliver/pipeline/fail-run.ts";
import { resumeRun } from "../deliver/pipeline/resume.ts";
import { retryPorts } from "../deliver/pipeline/retry-ports.ts";
import { type Stage, type StageRequest, stageRequest, stageTries } from "../records/runs/stages.ts";
import { sqsHandler } from "./sqs.ts";

/** The time reserved in the last attempt to mark the run as failed and request the mail. */
const reserveMs = 15_000;

interface StageTry {
  retry: Retry;
  /**
   * Whether an item that fails now is given up separately, instead of failing the stage. Set from the last attempt but
   * one, so that one more attempt remains for failures of the stage as a whole.
   */
  isLastTry: boolean;
}

/**
 * Creates a stage of the delivery. A failed call of one of its ports is retried within the stage. When the stage's last
 * attempt fails or runs out of time, the run is marked as failed and the reason is mailed. If the stage is requested
 * again, it resumes.
 */
export function stageHandler<Services extends FailRunPorts & { clock: Clock }>(options: {
  stage: Stage;
  services: () => Services;
  handle: (request: StageRequest, services: Services & StageTry) => Promise<void>;
}) {
  const { stage } = options;
  return sqsHandler({
    message: stageRequest,
    // The run has failed, and starting the run again resumes it, so the message becomes a dead letter.
    quarantines: false,
    services: options.services,
    handle: async (request, given, { receiveCount, remainingMs }) => {
      const retryUntil = (ms: number) =>
        retryWithin({ clock: given.clock, random: Math.random, untilMs: given.clock.now().getTime() + ms });
      const stageMs = remainingMs() - reserveMs;
      const retry = retryUntil(stageMs);
      const services = retryPorts(given, retry);
      try {
        // A part of a stage does not resume a run in which another part has failed.
        if (request.part === undefined) await resumeRun({ runId: request.runId, stage }, services);
        const isLastTry = receiveCount >= stageTries - 1;
        await withTimeout(options.handle(request, { ...services, retry, isLastTry }), stageMs);
      } catch (error) {
        // If the mail about a failure cannot be sent, that is not a failure of the stage, because the run may be in
        // progress again. Waiting for the worker that has the stage is not a failure either.
        const isStageFailure = request.failure === undefined && !(error instanceof ThrottledError);
        if (receiveCount >= stageTries && isStageFailure) {
          const reason = error instanceof Error ? error.message : String(error);
          // These calls have a separate retry budget, because the stage may have used up its own.
          const ports = retryPorts(given, retryUntil(reserveMs / 2));
          const isPart = request.part !== undefined;
          await failRun({ runId: request.runId, stage, reason, isPart }, ports);
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
