import { sourceStore } from "../../shared/aws/config/source-store.ts";
import { archiveStore } from "../../shared/aws/delivery/archive-store.ts";
import { bodyStore } from "../../shared/aws/gate/body-store.ts";
import { runStore } from "../../shared/aws/harvest/run-store.ts";
import { requestsQueue, stageQueue } from "../../shared/aws/queues.ts";
import { readFeedResponse } from "../../shared/harvest/read-feed.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/gate/response.ts";

/** Reads a feed and asks for the pages of its articles. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({
    sources: sourceStore(),
    runs: runStore(),
    archive: archiveStore(),
    bodies: bodyStore(),
    requests: requestsQueue(),
    delivery: stageQueue("validateQueue"),
  }),
  handle: readFeedResponse,
});
