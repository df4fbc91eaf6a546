import { events } from "../../shared/adapters/aws/events.ts";
import { fileStore } from "../../shared/adapters/aws/harvest/file-store.ts";
import { itemStore } from "../../shared/adapters/aws/harvest/item-store.ts";
import { uploadStore } from "../../shared/adapters/aws/harvest/upload-store.ts";
import { messageQueue, requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { storeItem } from "../../shared/harvest/downloads/store-item.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/request/response.ts";

/** Stores a downloaded file as an item of its document, or requests the rest of it. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({
    items: itemStore(),
    fileStore: fileStore(),
    requests: requestsQueue(),
    uploads: uploadStore(),
    documentUploads: messageQueue("documentUploadsQueue"),
    events: events(),
    clock: systemClock,
  }),
  handle: storeItem,
});
