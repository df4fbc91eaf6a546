import { digest } from "../../core/digest.ts";
import { parseJson } from "../../core/parse-json.ts";
import { documentsByChangeIndex, objectKeys } from "../../names.ts";
import {
  type ContentLocation,
  currentVersion,
  type Document,
  type DocumentContent,
  type DocumentKey,
} from "../../records/documents/document.ts";
import type {
  ChangePosition,
  DocumentStore,
  DocumentSummary,
} from "../../records/documents/document-store.ts";
import { variable } from "../aws/environment.ts";
import { assignments, expression } from "../aws/expression.ts";
import { getObjectRange, putObject } from "../aws/s3.ts";
import { isNext, table } from "../aws/table.ts";
import { listPendingKeys, unloggedMark, unloggedNames, withPendingPart } from "./pending-index.ts";

/** Stores documents in the table `documents`, and their contents in the bucket `records`. */
export function documentStore(): DocumentStore {
  const stored = table<Document, DocumentKey>({
    variable: "documentsTable",
    key: ({ sourceId, documentId }) => ({ sourceId, documentId }),
    // The keys of the sparse indexes of documents with pending effects and with changes that are not logged.
    hidden: ["pendingIn", ...unloggedNames],
  });
  return {
    getMany: (sourceId, documentIds) =>
      stored.getMany(documentIds.map((documentId) => ({ sourceId, documentId }))),
    save(document) {
      const { documentId, changedAt } = document;
      // The same mark as long as the version is the same: a write that only empties the outbox changes no index.
      const mark = unloggedMark(documentId, `${changedAt} ${currentVersion(document).version}`);
      const item = { ...withPendingPart(document, documentId), ...mark };
      return stored.putIf(document, item, isNext(document, "documentId"));
    },
    async markListed(key, { listedIn, listedOn, askedIn }) {
      const marks = assignments({ listedIn, listedOn, askedIn });
      await stored.updateIf(
        key,
        expression`SET ${marks}, revision = revision + ${1}`,
        expression`attribute_exists(documentId)`,
      );
    },
    saveContents,
    loadContent,
    async list(sourceId, { limit, after }) {
      const where = expression`sourceId = ${sourceId}`;
      const start = after === undefined ? undefined : { sourceId, documentId: after };
      const { items, end } = await stored.query({ where, after: start, isConsistent: true }).page(limit);
      return { documents: items, ...(end && { next: String(end.documentId) }) };
    },
    async countPresent(sourceId) {
      const present = stored.query({
        index: documentsByChangeIndex,
        where: expression`sourceId = ${sourceId}`,
        filter: expression`state = ${"present"}`,
        attributes: ["documentId"],
      });
      let count = 0;
      for await (const page of present.pages()) count += page.length;
      return count;
    },
    async listByChange(sourceId, { limit, after }) {
      const { items, end } = await stored
        .query<DocumentSummary>({
          index: documentsByChangeIndex,
          where: expression`sourceId = ${sourceId}`,
          isDescending: true,
          after: after && { sourceId, ...after },
        })
        .page(limit);
      const { changedAt, documentId } = (end ?? {}) as Partial<ChangePosition>;
      return {
        documents: items,
        ...(changedAt !== undefined && documentId !== undefined && { next: { changedAt, documentId } }),
      };
    },
    async listPending(before, limit) {
      const keys = await listPendingKeys(stored.query<DocumentKey>, before, limit);
      return keys.map(({ sourceId, documentId }) => ({ sourceId, documentId }));
    },
  };
}

/** Stores one object with the raw metadata and the normalised form of each document, one after the other. */
async function saveContents(sourceId: string, contents: DocumentContent[]): Promise<ContentLocation[]> {
  const pieces: Buffer[] = [];
  let at = 0;
  const place = (text: string): [number, number] => {
    const bytes = Buffer.from(text);
    pieces.push(bytes);
    const start = at;
    at += bytes.byteLength;
    return [start, bytes.byteLength];
  };
  const places = contents.map(({ raw, metadata }) => ({
    raw: place(raw),
    metadata: place(JSON.stringify(metadata)),
  }));
  const content = Buffer.concat(pieces);
  const key = objectKeys.documents(sourceId, digest(content.toString("base64")));
  await putObject(variable("recordsBucket"), key, { content, contentType: "application/octet-stream" });
  return contents.map(({ mediaType, format }, index) => ({
    key,
    mediaType,
    format,
    ...(places[index] as Pick<ContentLocation, "raw" | "metadata">),
  }));
}

async function loadContent({
  key,
  mediaType,
  format,
  raw,
  metadata,
}: ContentLocation): Promise<DocumentContent> {
  const [start] = raw;
  const bytes = await getObjectRange(variable("recordsBucket"), key, [start, raw[1] + metadata[1]]);
  const decode = (part: Uint8Array) => new TextDecoder().decode(part);
  return {
    raw: decode(bytes.subarray(0, raw[1])),
    metadata: (parseJson(decode(bytes.subarray(raw[1]))) ?? {}) as Record<string, unknown>,
    mediaType,
    format,
  };
}
