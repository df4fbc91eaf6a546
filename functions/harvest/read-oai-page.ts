import { variable } from "../../shared/adapters/aws/environment.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { messageQueue, requestsQueue, stageQueue } from "../../shared/adapters/aws/queues.ts";
import { bodyStore } from "../../shared/adapters/gate/body-store.ts";
import { archiveStore } from "../../shared/adapters/records/archive-store.ts";
import { documentStore } from "../../shared/adapters/records/document-store.ts";
import { recordStore } from "../../shared/adapters/records/record-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { withFiles } from "../../shared/harvest/items/publish-pending.ts";
import { settleResponse } from "../../shared/harvest/listing/settle-response.ts";
import { readOaiResponse } from "../../shared/harvest/oai/read-oai-response.ts";
import { itemStore } from "../../shared/harvest/stores/item-store.ts";
import { oaiHarvestStore } from "../../shared/harvest/stores/oai-harvest-store.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/request/response.ts";

/** Reads a response of an OAI-PMH repository, stores the records of the page, and requests the next page. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => {
    const [documents, items, requests, clock] = [documentStore(), itemStore(), requestsQueue(), systemClock];
    return {
      sources: sourceStore(),
      runs: runStore(),
      records: recordStore(),
      archive: archiveStore(),
      bodies: bodyStore(),
      oaiHarvests: oaiHarvestStore(),
      events: events(),
      kept: withFiles({ documents, items, requests, events: events(), clock }),
      setRegistrations: messageQueue("setRegistrationsQueue"),
      responses: messageQueue("oaiResponsesQueue"),
      requests,
      delivery: stageQueue("validateQueue"),
      clock,
      timeZone: variable("timeZone"),
    };
  },
  handle: readOaiResponse,
  settle: (response, services, reason) => settleResponse({ response, reason }, readOaiResponse, services),
});
