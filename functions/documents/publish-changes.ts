import { events } from "../../shared/adapters/aws/events.ts";
import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { documentStore } from "../../shared/adapters/records/document-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { publishPending } from "../../shared/harvest/items/publish-pending.ts";
import { itemStore } from "../../shared/harvest/stores/item-store.ts";
import { scheduledHandler } from "../../shared/runtime/scheduled.ts";

/** Publishes changes of documents and items that are still pending. */
export const handler = scheduledHandler({
  services: () => ({
    documents: documentStore(),
    items: itemStore(),
    requests: requestsQueue(),
    events: events(),
    clock: systemClock,
  }),
  handle: (services, at) => publishPending(at, services),
});
