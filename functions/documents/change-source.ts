import { configurationStore } from "../../shared/adapters/aws/config/configuration-store.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { oaiHarvestStore } from "../../shared/adapters/aws/harvest/oai-harvest-store.ts";
import { runStore } from "../../shared/adapters/aws/harvest/run-store.ts";
import { messageQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { harvestsOf } from "../../shared/harvest/oai/control-harvest.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { applySourceEvent, sourceEvent } from "../../shared/records/sources/source-events.ts";

/** Adds, changes or deletes a source that another publisher has put on the bus. */
export const handler = sqsHandler({
  message: sourceEvent,
  services: () => ({
    configuration: configurationStore(),
    harvests: harvestsOf({ runs: runStore(), oaiHarvests: oaiHarvestStore() }),
    events: events(),
    setRegistrations: messageQueue("setRegistrationsQueue"),
    clock: systemClock,
  }),
  handle: applySourceEvent,
});
