import { requestsQueue, stageQueue } from "../../shared/adapters/aws/queues.ts";
import { bodyStore } from "../../shared/adapters/gate/body-store.ts";
import { archiveStore } from "../../shared/adapters/records/archive-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { settleResponse } from "../../shared/harvest/listing/settle-response.ts";
import { readFeedResponse } from "../../shared/harvest/rss/read-feed-response.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/request/response.ts";

/** Reads a feed and requests the pages of its articles. */
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
  settle: (response, services, reason) => settleResponse({ response, reason }, readFeedResponse, services),
});
