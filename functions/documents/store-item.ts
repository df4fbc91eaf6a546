import { events } from "../../shared/adapters/aws/events.ts";
import { messageQueue, requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { storeItem } from "../../shared/harvest/downloads/store-item.ts";
import { fileStore } from "../../shared/harvest/stores/file-store.ts";
import { itemStore } from "../../shared/harvest/stores/item-store.ts";
import { oaiHarvestStore } from "../../shared/harvest/stores/oai-harvest-store.ts";
import { uploadStore } from "../../shared/harvest/stores/upload-store.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse, withoutResponse } from "../../shared/web/request/response.ts";

/** Stores a downloaded file as an item of its document, or requests the rest of it. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({
    items: itemStore(),
    fileStore: fileStore(),
    requests: requestsQueue(),
    uploads: uploadStore(),
    documentUploads: messageQueue("documentUploadsQueue"),
    oaiHarvests: oaiHarvestStore(),
    events: events(),
    clock: systemClock,
  }),
  handle: storeItem,
  settle: (response, services, reason) => storeItem(withoutResponse(response, reason), services),
});
