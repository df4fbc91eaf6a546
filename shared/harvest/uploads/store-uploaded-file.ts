import type { Clock } from "../../core/clock.ts";
import type { DocumentKey } from "../../records/documents/document.ts";
import { checkFileType, fileHeadBytes } from "../items/file-type.ts";
import { changeItem, currentFile, type Item, itemIdOf, type StoredFile } from "../items/item.ts";
import { type WriteItemPorts, writeItem } from "../items/write-item.ts";
import type { UploadOutcome } from "./upload.ts";

export interface UploadedFilePorts extends WriteItemPorts {
  uploadedFiles: {
    /** Stores a file of an item as a stream. It appears when the chunks have come to their end. */
    store(
      chunks: AsyncIterable<Uint8Array>,
      file: { sourceId: string; itemId: string; uploadId: string; contentType: string },
    ): Promise<Pick<StoredFile, "key" | "sizeBytes" | "sha256">>;
  };
  clock: Pick<Clock, "now">;
}

/** Where an uploaded file comes from, in place of a URL. The same name in a later upload is the same item. */
export function uploadedFileUrl(name: string): string {
  return `upload:${encodeURI(name)}`;
}

/**
 * Stores a file as an item of its document. The same file again changes nothing; another one under its name is a version.
 * @throws what `chunks` throws; then nothing is stored
 */
export async function storeUploadedFile(
  chunks: AsyncIterable<Uint8Array>,
  file: DocumentKey & { uploadId: string; name: string; contentType?: string | undefined; etag?: string },
  ports: UploadedFilePorts,
): Promise<UploadOutcome> {
  const { sourceId, documentId, uploadId, name } = file;
  const url = uploadedFileUrl(name);
  const itemId = itemIdOf(documentId, url);
  const described = { type: "file" as const, name, documentId };
  const { head, all, close } = await peek(chunks);
  const check = checkFileType(head, file.contentType ?? "");
  if (check.type === "refused") {
    await close();
    return { ...described, outcome: "refused", reason: check.reason };
  }
  const { contentType } = check;
  const stored = await ports.uploadedFiles.store(all, { sourceId, itemId, uploadId, contentType });
  let outcome: UploadOutcome["outcome"] = "unchanged";
  await writeItem({ documentId, itemId }, ports, (known) => {
    const unknown: Item = {
      sourceId,
      documentId,
      itemId,
      url,
      state: "refused",
      documentVersion: 1,
      versions: [],
      outbox: [],
      revision: 0,
    };
    const item = known ?? unknown;
    const before = currentFile(item);
    outcome = "unchanged";
    const after = { ...stored, contentType, ...(file.etag !== undefined && { etag: file.etag }) };
    if (before?.sha256 === stored.sha256)
      return before.etag === file.etag ? undefined : replaceFile(item, { ...before, etag: after.etag });
    outcome = before === undefined ? "new" : "opened";
    return changeItem(item, { type: outcome, at: ports.clock.now().toISOString(), file: after });
  });
  return { ...described, itemId, outcome };
}

/** The item with another description of the same file. */
function replaceFile(
  item: Item,
  { etag, ...rest }: Omit<StoredFile, "etag"> & { etag: string | undefined },
): Item {
  const last = item.versions.at(-1);
  if (last === undefined) return item;
  const file = { ...rest, ...(etag !== undefined && { etag }) };
  return { ...item, versions: [...item.versions.slice(0, -1), { ...last, file }] };
}

/** The first bytes, and all of them. */
async function peek(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; all: AsyncIterable<Uint8Array>; close(): Promise<unknown> }> {
  const reader = chunks[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  while (sizeBytes < fileHeadBytes) {
    const { done, value } = await reader.next();
    if (done) break;
    pieces.push(value);
    sizeBytes += value.byteLength;
  }
  const head = Buffer.concat(pieces);
  const all = async function* () {
    yield head;
    yield* { [Symbol.asyncIterator]: () => reader };
  };
  return { head, all: all(), close: async () => reader.return?.() };
}
