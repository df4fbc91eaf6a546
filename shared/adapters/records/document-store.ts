import { digest } from "../../core/digest.ts";
import { parseJson } from "../../core/parse-json.ts";
import { documentsByChangeIndex, documentsByPendingIndex, objectKeys } from "../../names.ts";
import type {
  ContentLocation,
  Document,
  DocumentContent,
  DocumentKey,
} from "../../records/documents/document.ts";
import type {
  ChangePosition,
  DocumentStore,
  DocumentSummary,
} from "../../records/documents/document-store.ts";
import { getAll, putIf, queryPage, updateIf } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";
import { getObjectRange, putObject } from "../aws/s3.ts";
import { listPendingKeys, pendingPartOf } from "./pending-index.ts";

/** A document's item. `pendingIn` is the key of the sparse index of those with pending effects. */
type DocumentItem = Document & { pendingIn?: string };

/** The table `documents`, and the contents in the bucket `records`. */
export function documentStore(): DocumentStore {
  const TableName = variable("documentsTable");
  return {
    async getMany(sourceId, documentIds) {
      if (documentIds.length === 0) return [];
      const items = await getAll<DocumentItem>(TableName, {
        Keys: documentIds.map((documentId) => ({ sourceId, documentId })),
        ConsistentRead: true,
      });
      return items.map(documentOf);
    },
    save: (document) =>
      putIf({
        TableName,
        Item: {
          ...document,
          ...(document.pendingSince !== undefined && { pendingIn: pendingPartOf(document.documentId) }),
        },
        ...(document.revision === 1
          ? { ConditionExpression: "attribute_not_exists(documentId)" }
          : {
              ConditionExpression: "revision = :before",
              ExpressionAttributeValues: { ":before": document.revision - 1 },
            }),
      }),
    async markListed({ sourceId, documentId }, harvestId) {
      await updateIf({
        TableName,
        Key: { sourceId, documentId },
        UpdateExpression: "SET listedIn = :harvestId, revision = revision + :one",
        ConditionExpression: "attribute_exists(documentId)",
        ExpressionAttributeValues: { ":harvestId": harvestId, ":one": 1 },
      });
    },
    saveContents,
    loadContent,
    async list(sourceId, { limit, after }) {
      const { items, end } = await queryPage<DocumentItem>({
        TableName,
        KeyConditionExpression: "sourceId = :sourceId",
        ExpressionAttributeValues: { ":sourceId": sourceId },
        Limit: limit,
        ...(after !== undefined && { ExclusiveStartKey: { sourceId, documentId: after } }),
      });
      const documents = items.map(documentOf);
      return { documents, ...(end && { next: String(end.documentId) }) };
    },
    async listByChange(sourceId, { limit, after }) {
      const { items, end } = await queryPage<DocumentSummary>({
        TableName,
        IndexName: documentsByChangeIndex,
        KeyConditionExpression: "sourceId = :sourceId",
        ExpressionAttributeValues: { ":sourceId": sourceId },
        ScanIndexForward: false,
        Limit: limit,
        ...(after !== undefined && { ExclusiveStartKey: { sourceId, ...after } }),
      });
      const { changedAt, documentId } = (end ?? {}) as Partial<ChangePosition>;
      return {
        documents: items,
        ...(changedAt !== undefined && documentId !== undefined && { next: { changedAt, documentId } }),
      };
    },
    async listPending(before, limit) {
      const index = { TableName, IndexName: documentsByPendingIndex };
      const keys = await listPendingKeys<DocumentKey>(index, before, limit);
      return keys.map(({ sourceId, documentId }) => ({ sourceId, documentId }));
    },
  };
}

function documentOf({ pendingIn: _index, ...document }: DocumentItem): Document {
  return document;
}

/** One object: of each document the raw metadata and the normalised form, one after the other. */
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
