import { createHash } from "node:crypto";
import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { assignments, expression, list } from "../../adapters/aws/expression.ts";
import {
  getJson,
  objectSize,
  putJson,
  putJsonByDigest,
  streamObjectRange,
  writeObject,
} from "../../adapters/aws/s3.ts";
import { table } from "../../adapters/aws/table.ts";
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

/** Stores uploads in a table. */
export function uploadStore(): UploadStore {
  const uploads = table<Upload & { listing?: string }>({
    variable: "documentUploadsTable",
    key: (uploadId) => ({ uploadId }),
    hidden: ["expiresAt"],
  });
  return {
    async create(upload) {
      const expiresAt = ttlAfter(upload.createdAt, uploadRetentionDays);
      await uploads.putNew(upload.uploadId, { ...upload, expiresAt });
    },
    get: (uploadId) => uploads.get(uploadId),
    change: (uploadId, from, change) =>
      uploads.updateIf(
        uploadId,
        expression`SET ${assignments(change)}`,
        expression`state IN (${list(from)})`,
      ),
    confirm: (uploadId, receivedAt) =>
      uploads.updateIf(
        uploadId,
        expression`SET ${assignments({ state: "received", receivedAt })} REMOVE dryRun, progress, doneAt, problem`,
        expression`state = ${"done"} AND dryRun = ${true}`,
      ),
    async keepListing(uploadId, key) {
      const change = expression`SET listing = if_not_exists(listing, ${key})`;
      return (await uploads.updateItem(uploadId, change, "ALL_NEW"))?.listing as string;
    },
    advance(uploadId, { parts }, after) {
      const isUnchanged =
        parts.length === 0
          ? expression`attribute_not_exists(progress)`
          : expression`size(progress.parts) = ${parts.length}`;
      return uploads.updateIf(
        uploadId,
        expression`SET progress = ${after}`,
        expression`state = ${"received"} AND ${isUnchanged}`,
      );
    },
  };
}

/** Provides the bucket of uploads. */
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
    saveListing: (uploadId, files) =>
      putJsonByDigest(Bucket, (contentDigest) => uploadListing(uploadId, contentDigest), files),
    loadListing: (key) => getJson<FolderFile[]>(Bucket, key),
    saveOutcomes: (uploadId, outcomes) =>
      putJsonByDigest(Bucket, (contentDigest) => uploadOutcomes(uploadId, contentDigest), outcomes),
    loadOutcomes: (key) => getJson<UploadOutcome[]>(Bucket, key),
  };
}

/** Provides the bucket of files, to which uploaded files are copied. */
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
