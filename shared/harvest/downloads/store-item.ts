import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { parseInput } from "../../core/schema-problems.ts";
import type { NewRequest, RequestQueue } from "../../web/request/request.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import { checkFileType, fileHeadBytes } from "../items/file-type.ts";
import {
  changeItem,
  currentFile,
  type Item,
  type ItemKey,
  keepItem,
  missItem,
  type StoredFile,
} from "../items/item.ts";
import { type ItemContext, itemContext } from "../items/item-context.ts";
import { noteMissing } from "../items/settle-missing.ts";
import { type WriteItemPorts, writeItem } from "../items/write-item.ts";
import type { OaiHarvestStore } from "../oai-state/harvest-state.ts";
import type { UploadStore } from "../uploads/upload.ts";
import { type DownloadStep, nextDownloadStep } from "./download-step.ts";

export interface FileStore {
  /** Reads the first bytes of a body that the gate has stored. */
  head(bodyKey: string, bytes: number): Promise<Uint8Array>;
  /**
   * Joins bodies that the gate has stored into one file. Only one part of the file is in memory at a time.
   * @returns the key of the file, its size in bytes, and its SHA-256 in hexadecimal
   */
  join(
    bodyKeys: string[],
    file: { sourceId: string; itemId: string; requestId: string; contentType: string },
  ): Promise<Pick<StoredFile, "key" | "sizeBytes" | "sha256">>;
}

interface StoreItemPorts extends WriteItemPorts {
  fileStore: FileStore;
  requests: RequestQueue;
  uploads: Pick<UploadStore, "create">;
  /** Requests that an upload is read. */
  documentUploads: { send(message: { uploadId: string }): Promise<void> };
  oaiHarvests: OaiHarvestStore;
  clock: Pick<Clock, "now">;
}

/**
 * Stores the file that a host has sent as an item, or requests the rest of the file. An unchanged file changes nothing.
 * A file that no longer exists is missing, until it is decided whether it is deleted. If the response contains no file, the reason is stored.
 */
export async function storeItem({ request, outcome }: InboundResponse, ports: StoreItemPorts): Promise<void> {
  const context = parseInput(itemContext, request.context);
  const step = nextDownloadStep(outcome, context);
  if (context.upload !== undefined && step.type !== "continue") {
    return passOn({ ...context, upload: context.upload }, step, ports);
  }
  switch (step.type) {
    case "unchanged":
      return note(context, ports, (item) => withoutProblem(item));
    case "gone":
      await note(context, ports, (item, at) =>
        item.state === "present"
          ? missItem(item, { reason: step.reason, at })
          : withProblem(item, step.reason, at),
      );
      // After the item is marked: before, a settlement that finds nothing would end the day.
      return noteMissing(context.sourceId, ports);
    case "refused":
      return refuse(context, step.reason, ports);
    case "continue": {
      const refusal = await typeProblem(step, ports);
      if (refusal !== undefined) {
        const refused = { type: "refused" as const, reason: refusal };
        if (context.upload === undefined) return refuse(context, refusal, ports);
        return passOn({ ...context, upload: context.upload }, refused, ports);
      }
      return ports.requests.send([continuation(request, context, step)]);
    }
    case "complete":
      return storeFile(request.id, { context, step }, ports);
  }
}

/**
 * Requests that a downloaded file of a FILE source is read as an upload. This also happens when the file could not be
 * downloaded.
 */
async function passOn(
  {
    sourceId,
    url,
    upload: { uploadId, runId },
  }: ItemContext & { upload: NonNullable<ItemContext["upload"]> },
  step: Exclude<DownloadStep, { type: "continue" }>,
  { uploads, documentUploads, clock }: StoreItemPorts,
): Promise<void> {
  const at = clock.now().toISOString();
  const segment = new URL(url).pathname.split("/").at(-1) || "file";
  // Decodes as much as possible, because file names may contain a bare %.
  const name = new URLSearchParams(`name=${segment.replaceAll("+", "%2B")}`).get("name") ?? segment;
  await uploads.create({
    uploadId,
    sourceId,
    content: "file",
    state: "received",
    files: [{ fileId: "0", name }],
    pollId: runId,
    createdAt: at,
    receivedAt: at,
    ...(step.type === "complete" && { bodies: step.pieces }),
    ...(step.type === "gone" || step.type === "refused" ? { problem: step.reason } : {}),
  });
  await documentUploads.send({ uploadId });
}

async function storeFile(
  requestId: string,
  { context, step }: { context: ItemContext; step: Extract<DownloadStep, { type: "complete" }> },
  ports: StoreItemPorts,
): Promise<void> {
  const [first] = step.pieces;
  const head = first === undefined ? new Uint8Array() : await ports.fileStore.head(first.key, fileHeadBytes);
  const check = checkFileType(head, step.contentType);
  if (check.type === "refused") return refuse(context, check.reason, ports);
  const { contentType } = check;
  const { sourceId, itemId } = context;
  const keys = step.pieces.map(({ key }) => key);
  const stored = await ports.fileStore.join(keys, { sourceId, itemId, requestId, contentType });
  if (step.sizeBytes !== undefined && stored.sizeBytes !== step.sizeBytes) {
    return refuse(context, `it has ${stored.sizeBytes} bytes instead of ${step.sizeBytes}`, ports);
  }
  const file: StoredFile = { ...stored, contentType, ...(step.etag !== undefined && { etag: step.etag }) };
  await note(context, ports, (item, at) => {
    const known = currentFile(item);
    if (known?.sha256 === file.sha256) return withoutProblem(item);
    return changeItem(item, { type: known === undefined ? "new" : "opened", at, file });
  });
}

/** Returns why the rest of a file need not be requested, according to its first part. */
async function typeProblem(
  { pieces, contentType }: Extract<DownloadStep, { type: "continue" }>,
  { fileStore }: StoreItemPorts,
): Promise<string | undefined> {
  const [first] = pieces;
  if (first === undefined || pieces.length > 1) return undefined;
  const check = checkFileType(await fileStore.head(first.key, fileHeadBytes), contentType);
  return check.type === "refused" ? check.reason : undefined;
}

/** Builds the request for the rest of a file. If the file has changed, the host sends the whole file. */
function continuation(
  { url: _asked, headers: _old, hops: _hops, cookies: _cookies, ...request }: InboundResponse["request"],
  context: ItemContext,
  { pieces, etag, contentType, offset }: Extract<DownloadStep, { type: "continue" }>,
): NewRequest {
  const { url, maxBytes } = context;
  return {
    ...request,
    id: digest(request.id, String(offset)),
    url,
    headers: { range: `bytes=${offset}-`, "if-range": etag },
    bodyPolicy: { type: "stream", maxBytes, keepIncomplete: true },
    context: { ...context, pieces, etag, contentType },
  };
}

function refuse(context: ItemContext, reason: string, ports: StoreItemPorts): Promise<void> {
  return note(context, ports, (item, at) => withProblem(item, reason, at));
}

/** Writes the outcome of a request, unless a later version of the document has requested the file meanwhile. */
function note(
  context: ItemContext,
  ports: StoreItemPorts,
  change: (item: Item, at: string) => Item | undefined,
): Promise<void> {
  const { sourceId, documentId, itemId, url, documentVersion } = context;
  const key: ItemKey = { documentId, itemId };
  const at = ports.clock.now().toISOString();
  return writeItem(key, ports, (known) => {
    if (known !== undefined && known.documentVersion > documentVersion) return undefined;
    const unknown: Item = {
      ...key,
      sourceId,
      url,
      state: "refused",
      documentVersion,
      versions: [],
      outbox: [],
      revision: 0,
    };
    return change({ ...(known ?? unknown), documentVersion }, at);
  });
}

function withProblem(item: Item, reason: string, at: string): Item | undefined {
  if (item.problem?.reason === reason) return undefined;
  return { ...item, problem: { reason, at } };
}

function withoutProblem({ problem, ...item }: Item): Item | undefined {
  return problem === undefined && item.missing === undefined ? undefined : keepItem(item);
}
