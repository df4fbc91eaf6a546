import { variable } from "../../shared/adapters/aws/environment.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { messageQueue, requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { archiveStore } from "../../shared/adapters/records/archive-store.ts";
import { documentStore } from "../../shared/adapters/records/document-store.ts";
import { recordStore } from "../../shared/adapters/records/record-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { withFiles } from "../../shared/harvest/items/publish-pending.ts";
import { folderStore } from "../../shared/harvest/stores/folder-store.ts";
import { itemStore } from "../../shared/harvest/stores/item-store.ts";
import { oaiHarvestStore } from "../../shared/harvest/stores/oai-harvest-store.ts";
import { uploadedFiles, uploadObjects, uploadStore } from "../../shared/harvest/stores/upload-store.ts";
import { readUpload, settleUpload, uploadMessage } from "../../shared/harvest/upload/read-upload.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";

/** Stores the documents and files of an upload. */
export const handler = sqsHandler({
  message: uploadMessage,
  services: () => {
    const [documents, items, requests, clock] = [documentStore(), itemStore(), requestsQueue(), systemClock];
    return {
      uploads: uploadStore(),
      folders: folderStore(),
      oaiHarvests: oaiHarvestStore(),
      documentUploads: messageQueue("documentUploadsQueue"),
      objects: uploadObjects(),
      uploadedFiles: uploadedFiles(),
      sources: sourceStore(),
      runs: runStore(),
      records: recordStore(),
      archive: archiveStore(),
      items,
      events: events(),
      kept: withFiles({ documents, items, requests, events: events(), clock }),
      clock,
      timeZone: variable("timeZone"),
    };
  },
  handle: readUpload,
  settle: settleUpload,
});
