import { requestsQueue, stageQueue } from "../../shared/adapters/aws/queues.ts";
import { bodyStore } from "../../shared/adapters/gate/body-store.ts";
import { archiveStore } from "../../shared/adapters/records/archive-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { readCrawledPageResponse } from "../../shared/harvest/crawl/read-crawled-page-response.ts";
import { settleResponse } from "../../shared/harvest/listing/settle-response.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/request/response.ts";

/** Reads a crawled page and requests the articles and pages that it links to. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({
    sources: sourceStore(),
    runs: runStore(),
    archive: archiveStore(),
    bodies: bodyStore(),
    requests: requestsQueue(),
    delivery: stageQueue("validateQueue"),
    clock: systemClock,
  }),
  handle: readCrawledPageResponse,
  settle: (response, services, reason) =>
    settleResponse({ response, reason }, readCrawledPageResponse, services),
});
