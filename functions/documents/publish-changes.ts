import { events } from "../../shared/adapters/aws/events.ts";
import { documentStore } from "../../shared/adapters/aws/harvest/document-store.ts";
import { itemStore } from "../../shared/adapters/aws/harvest/item-store.ts";
import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { publishPending } from "../../shared/harvest/items/publish-pending.ts";
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
