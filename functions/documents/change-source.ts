import { events } from "../../shared/adapters/aws/events.ts";
import { messageQueue } from "../../shared/adapters/aws/queues.ts";
import { configurationStore } from "../../shared/adapters/records/configuration-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { qualityStore } from "../../shared/deliver/stores/quality-store.ts";
import { harvestsOf } from "../../shared/harvest/oai/control-harvest.ts";
import { oaiHarvestStore } from "../../shared/harvest/stores/oai-harvest-store.ts";
import { applySourceEvent, sourceEvent } from "../../shared/records/sources/source-events.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";

/** Adds, changes or deletes a source, by an event of another publisher on the bus. */
export const handler = sqsHandler({
  message: sourceEvent,
  services: () => ({
    configuration: configurationStore(),
    harvests: harvestsOf({ runs: runStore(), oaiHarvests: oaiHarvestStore() }),
    quality: qualityStore(),
    events: events(),
    setRegistrations: messageQueue("setRegistrationsQueue"),
    documentDeletions: messageQueue("documentDeletionsQueue"),
    clock: systemClock,
  }),
  handle: applySourceEvent,
});
