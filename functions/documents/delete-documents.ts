import { events } from "../../shared/adapters/aws/events.ts";
import { messageQueue, requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { configurationStore } from "../../shared/adapters/records/configuration-store.ts";
import { documentStore } from "../../shared/adapters/records/document-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { deleteDocuments, documentDeletion } from "../../shared/harvest/delete-documents.ts";
import { withFiles } from "../../shared/harvest/items/publish-pending.ts";
import { itemStore } from "../../shared/harvest/stores/item-store.ts";
import { pageStore } from "../../shared/harvest/stores/page-store.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";

/** Deletes the stored pages of a deleted source and, if wanted, its documents. */
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
    pages: pageStore(),
    configuration: configurationStore(),
    documentDeletions: messageQueue("documentDeletionsQueue"),
    clock: systemClock,
  }),
  handle: deleteDocuments,
});
