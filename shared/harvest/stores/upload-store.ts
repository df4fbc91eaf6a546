import { createHash } from "node:crypto";
import { getItem, putIf, ttlAfter, updateIf, updateItem } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { getJson, objectSize, putJson, streamObjectRange, writeObject } from "../../adapters/aws/s3.ts";
import { digest } from "../../core/digest.ts";
import { objectKeys, uploadRetentionDays } from "../../names.ts";
import type { StoredFile } from "../items/item.ts";
import type { FolderFile } from "../uploads/folder.ts";
import type { UploadedFilePorts } from "../uploads/store-uploaded-file.ts";
import type {
  Upload,
  UploadedDocument,
  UploadObjects,
  UploadOutcome,
  UploadStore,
} from "../uploads/upload.ts";

/** The table of uploads. */
export function uploadStore(): UploadStore {
  const TableName = variable("documentUploadsTable");
  return {
    async create(upload) {
      const expiresAt = ttlAfter(upload.createdAt, uploadRetentionDays);
      const ConditionExpression = "attribute_not_exists(uploadId)";
      await putIf({ TableName, Item: { ...upload, expiresAt }, ConditionExpression });
    },
    async get(uploadId) {
      const item = await getItem<Upload & { expiresAt: number }>({
        TableName,
        Key: { uploadId },
        ConsistentRead: true,
      });
      if (item === undefined) return undefined;
      const { expiresAt: _ttl, ...upload } = item;
      return upload;
    },
    change(uploadId, from, change) {
      const names = Object.keys(change);
      return updateIf({
        TableName,
        Key: { uploadId },
        UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}`,
        ConditionExpression: `#state IN (${from.map((_, place) => `:from${place}`).join(", ")})`,
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries([
          ...Object.entries(change).map(([name, value]) => [`:${name}`, value]),
          ...from.map((state, place) => [`:from${place}`, state]),
        ]),
      });
    },
    async keepListing(uploadId, key) {
      const item = await updateItem<{ listing: string }>({
        TableName,
        Key: { uploadId },
        UpdateExpression: "SET listing = if_not_exists(listing, :key)",
        ExpressionAttributeValues: { ":key": key },
        ReturnValues: "ALL_NEW",
      });
      return item?.listing as string;
    },
    advance: (uploadId, before, after) =>
      updateIf({
        TableName,
        Key: { uploadId },
        UpdateExpression: "SET progress = :after",
        ConditionExpression:
          before.parts.length === 0
            ? "#state = :received AND attribute_not_exists(progress)"
            : "#state = :received AND size(progress.parts) = :parts",
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: {
          ":after": after,
          ":received": "received",
          ":parts": before.parts.length === 0 ? undefined : before.parts.length,
        },
      }),
  };
}

/** The bucket of uploads. */
export function uploadObjects(): UploadObjects {
  const Bucket = variable("documentUploadsBucket");
  const { uploadedFile, uploadedDocuments, uploadListing, uploadOutcomes } = objectKeys;
  return {
    saveDocuments: (uploadId, documents) =>
      putJson(Bucket, uploadedDocuments(uploadId), JSON.stringify(documents)),
    loadDocuments: (uploadId) => getJson<UploadedDocument[]>(Bucket, uploadedDocuments(uploadId)),
    async file(uploadId, fileId) {
      const key = uploadedFile(uploadId, fileId);
      const sizeBytes = await objectSize(Bucket, key);
      if (sizeBytes === undefined) return undefined;
      return { sizeBytes, read: (start, end) => streamObjectRange(Bucket, key, [start, end - start]) };
    },
    downloaded(bodies) {
      const bucket = variable("responsesBucket");
      const sizeBytes = bodies.reduce((sum, body) => sum + body.sizeBytes, 0);
      return {
        sizeBytes,
        async *read(start, end) {
          let at = 0;
          for (const body of bodies) {
            const from = Math.max(start - at, 0);
            const until = Math.min(end - at, body.sizeBytes);
            if (from < until) yield* streamObjectRange(bucket, body.key, [from, until - from]);
            at += body.sizeBytes;
          }
        },
      };
    },
    async saveListing(uploadId, files) {
      const json = JSON.stringify(files);
      const key = uploadListing(uploadId, digest(json));
      await putJson(Bucket, key, json);
      return key;
    },
    loadListing: (key) => getJson<FolderFile[]>(Bucket, key),
    async saveOutcomes(uploadId, outcomes) {
      const json = JSON.stringify(outcomes);
      const key = uploadOutcomes(uploadId, digest(json));
      await putJson(Bucket, key, json);
      return key;
    },
    loadOutcomes: (key) => getJson<UploadOutcome[]>(Bucket, key),
  };
}

/** The bucket of files, where uploaded ones go. */
export function uploadedFiles(): UploadedFilePorts["uploadedFiles"] {
  const Bucket = variable("filesBucket");
  return {
    async store(
      chunks,
      { sourceId, itemId, uploadId, contentType },
    ): Promise<Pick<StoredFile, "key" | "sizeBytes" | "sha256">> {
      const key = objectKeys.file(sourceId, itemId, digest(uploadId));
      const hash = createHash("sha256");
      const content = async function* () {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      };
      const sizeBytes = await writeObject(Bucket, key, { content: content(), contentType });
      return { key, sizeBytes, sha256: hash.digest("hex") };
    },
  };
}
