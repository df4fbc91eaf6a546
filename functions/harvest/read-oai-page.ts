import { sourceStore } from "../../shared/adapters/aws/config/source-store.ts";
import { archiveStore } from "../../shared/adapters/aws/delivery/archive-store.ts";
import { variable } from "../../shared/adapters/aws/environment.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { bodyStore } from "../../shared/adapters/aws/gate/body-store.ts";
import { documentStore } from "../../shared/adapters/aws/harvest/document-store.ts";
import { itemStore } from "../../shared/adapters/aws/harvest/item-store.ts";
import { oaiHarvestStore } from "../../shared/adapters/aws/harvest/oai-harvest-store.ts";
import { recordStore } from "../../shared/adapters/aws/harvest/record-store.ts";
import { runStore } from "../../shared/adapters/aws/harvest/run-store.ts";
import { messageQueue, requestsQueue, stageQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { withFiles } from "../../shared/harvest/items/publish-pending.ts";
import { readOaiResponse } from "../../shared/harvest/oai/read-oai-response.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/request/response.ts";

/** Reads an answer of an OAI-PMH repository, keeps the records of a page, and requests the next one. */
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
});
