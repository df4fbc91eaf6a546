import { messageQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { buildPart, failPart } from "../../shared/snapshots/index/build/build-part.ts";
import type { IndexAnswer } from "../../shared/snapshots/index/build/index-answer.ts";
import { type IndexPart, indexPart, partTries } from "../../shared/snapshots/index/build/index-build.ts";
import { indexBuildFiles } from "../../shared/snapshots/stores/index-build-files.ts";
import { indexBuilds } from "../../shared/snapshots/stores/index-builds.ts";

/**
 * Runs one step of the build of a deduplication index. After the last attempt, the harvests that wait for the
 * index get the reason.
 */
export const handler = sqsHandler({
  message: indexPart,
  services: () => ({
    builds: indexBuilds(),
    ...indexBuildFiles(),
    parts: messageQueue<IndexPart>("indexPartsQueue"),
    answers: messageQueue<IndexAnswer>("indexAnswersQueue"),
    clock: systemClock,
  }),
  async handle(part, ports, { receiveCount }) {
    try {
      await buildPart(part, ports);
    } catch (error) {
      if (receiveCount >= partTries)
        await failPart(part, error instanceof Error ? error.message : String(error), ports);
      throw error;
    }
  },
});
