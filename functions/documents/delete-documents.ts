import { events } from "../../shared/adapters/aws/events.ts";
import { messageQueue, requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { configurationStore } from "../../shared/adapters/records/configuration-store.ts";
import { documentStore } from "../../shared/adapters/records/document-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { deleteDocuments, documentDeletion } from "../../shared/harvest/delete-documents.ts";
import { withFiles } from "../../shared/harvest/items/publish-pending.ts";
import { itemStore } from "../../shared/harvest/stores/item-store.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";

/** Deletes the documents of a deleted source. */
export const handler = sqsHandler({
  message: documentDeletion,
  services: () => ({
    kept: withFiles({
      documents: documentStore(),
      items: itemStore(),
      requests: requestsQueue(),
      events: events(),
      clock: systemClock,
    }),
    configuration: configurationStore(),
    documentDeletions: messageQueue("documentDeletionsQueue"),
    clock: systemClock,
  }),
  handle: deleteDocuments,
});
