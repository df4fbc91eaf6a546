import { messageQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import type { IndexAnswer } from "../../shared/snapshots/index/build/index-answer.ts";
import { type IndexPart, indexRequest } from "../../shared/snapshots/index/build/index-build.ts";
import { planBuild } from "../../shared/snapshots/index/build/plan-build.ts";
import { indexBuildFiles } from "../../shared/snapshots/stores/index-build-files.ts";
import { indexBuilds } from "../../shared/snapshots/stores/index-builds.ts";

/** Begins the build of a deduplication index. */
export const handler = sqsHandler({
  message: indexRequest,
  services: () => ({
    builds: indexBuilds(),
    ...indexBuildFiles(),
    parts: messageQueue<IndexPart>("indexPartsQueue"),
    answers: messageQueue<IndexAnswer>("indexAnswersQueue"),
    clock: systemClock,
  }),
  handle: planBuild,
  settle: ({ definitionId, generation }, { answers }, reason) =>
    answers.send({ definitionId, generation, missing: [], error: reason }),
});
