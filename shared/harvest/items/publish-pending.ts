import { inBatches } from "../../core/in-batches.ts";
import type { Document, DocumentKey } from "../../records/documents/document.ts";
import type { DocumentStore } from "../../records/documents/document-store.ts";
import { drainOutboxes } from "../../records/documents/drain-outbox.ts";
import type { ItemStore } from "./item.ts";
import { type RequestFilesPorts, requestFiles } from "./request-files.ts";
import { publishItem } from "./write-item.ts";

interface PublishPendingPorts extends RequestFilesPorts {
  documents: DocumentStore;
  items: ItemStore;
}

/** The time after which the reader of pending effects is assumed to have been killed. */
const leftAfterMs = 120_000;

/** The maximum number of documents, and of items, per invocation. The next invocation continues. */
const maxPerSweep = 2000;
const batchSize = 100;

/**
 * Publishes the effects of documents and items that have been pending for more than two minutes, and requests pending
 * files.
 * @returns the number of documents and items with pending effects
 */
export async function publishPending(
  at: Date,
  ports: PublishPendingPorts,
): Promise<{ documents: number; items: number }> {
  const before = new Date(at.getTime() - leftAfterMs).toISOString();
  const keys = await ports.documents.listPending(before, maxPerSweep);
  for (const [sourceId, own] of Map.groupBy(keys, (key: DocumentKey) => key.sourceId)) {
    for (const batch of inBatches(own, batchSize)) {
      const ids = batch.map(({ documentId }) => documentId);
      const documents = await ports.documents.getMany(sourceId, ids);
      await drainOutboxes(documents, withFiles(ports));
    }
  }
  const items = await ports.items.listPending(before, maxPerSweep);
  for (const key of items) {
    const item = await ports.items.get(key);
    if (item !== undefined) await publishItem(item, ports);
  }
  return { documents: keys.length, items: items.length };
}

/** Returns the ports, with the port that requests files. */
export function withFiles<Ports extends RequestFilesPorts>(ports: Ports) {
  return {
    ...ports,
    requestFiles: (document: Document, files: Parameters<typeof requestFiles>[1]) =>
      requestFiles(document, files, ports),
  };
}
