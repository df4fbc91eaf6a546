import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import type { Document } from "../../records/documents/document.ts";
import type { FilesEffect } from "../../records/documents/drain-outbox.ts";
import type { NewRequest, RequestQueue } from "../../web/request/request.ts";
import { changeItem, currentFile, type ItemStore, itemIdOf } from "./item.ts";
import type { ItemContext } from "./item-context.ts";
import { type WriteItemPorts, writeItem } from "./write-item.ts";

export interface RequestFilesPorts extends WriteItemPorts {
  items: ItemStore;
  requests: RequestQueue;
  clock: Pick<Clock, "now">;
}

/** The maximum size of a file, unless its source has a lower limit. */
export const defaultMaxFileBytes = 5 * 1000 ** 3;

/**
 * Requests the files of a version of a document, and ends the items of files that the document no longer has. Known
 * files are requested with their validators, so that an unchanged file is not sent again. Repeatable, because the
 * requests have fixed ids.
 */
export async function requestFiles(
  { sourceId, documentId, state }: Pick<Document, "sourceId" | "documentId" | "state">,
  { version, urls, policy = {} }: FilesEffect,
  ports: RequestFilesPorts,
): Promise<void> {
  const known = version === 1 ? [] : await ports.items.list(documentId);
  const wanted = new Map(urls.map((url) => [itemIdOf(documentId, url), url]));
  for (const { itemId } of known.filter((item) => !wanted.has(item.itemId))) {
    await writeItem({ documentId, itemId }, ports, (item) => {
      if (item === undefined || item.documentVersion > version || item.state !== "present") return undefined;
      const reason = state === "deleted" ? "the document was deleted" : "the document no longer names it";
      const at = ports.clock.now().toISOString();
      return changeItem({ ...item, documentVersion: version }, { type: "deleted", at, reason });
    });
  }
  const { maxBytes = defaultMaxFileBytes, ...requestPolicy } = policy;
  const requests = [...wanted].map(([itemId, url]): NewRequest => {
    const item = known.find((other) => other.itemId === itemId);
    const etag = item && currentFile(item)?.etag;
    const context = { sourceId, documentId, itemId, url, documentVersion: version, maxBytes, pieces: [] };
    return {
      id: digest(itemId, String(version)),
      kind: "item",
      url,
      ...requestPolicy,
      ...(etag !== undefined && { headers: { "if-none-match": etag } }),
      bodyPolicy: { type: "stream", maxBytes, keepIncomplete: true },
      context: context satisfies ItemContext,
    };
  });
  if (requests.length > 0) await ports.requests.send(requests);
}
