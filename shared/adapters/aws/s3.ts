import type {
  CompletedPart,
  CompleteMultipartUploadCommandInput,
  GetObjectCommandInput,
  GetObjectCommandOutput,
  ListObjectsV2CommandOutput,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { digest } from "../../core/digest.ts";

/** Loads the SDK when it is needed. */
const load = () => import("./s3-sdk.ts");

/**
 * The size of a part. S3 requires at least 5 MiB in each part except the last one, and accepts 10,000 parts, so files
 * may have up to 78 GiB.
 */
const partSizeBytes = 8 * 1024 * 1024;

/**
 * The SDK sends a checksum with each part. S3 needs the algorithm at the start, and all checksums at the end.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
 */
const ChecksumAlgorithm = "CRC32" as const;

async function get(object: GetObjectCommandInput): Promise<GetObjectCommandOutput> {
  const { s3, GetObjectCommand } = await load();
  return s3.send(new GetObjectCommand(object));
}

/** Yields the pages of a list of objects. */
export async function* pagesOf(list: {
  Bucket: string;
  Prefix?: string;
}): AsyncGenerator<ListObjectsV2CommandOutput> {
  const { s3, paginateListObjectsV2 } = await load();
  yield* paginateListObjectsV2({ client: s3 }, list);
}

/** Decides whether an error is a response of S3. */
function isS3Error(error: unknown): error is S3ServiceException {
  return error instanceof Error && "$fault" in error;
}

export function isNoSuchKey(error: unknown): boolean {
  return isS3Error(error) && error.name === "NoSuchKey";
}

export async function getObject(Bucket: string, Key: string): Promise<Uint8Array> {
  const { Body } = await get({ Bucket, Key });
  return (await Body?.transformToByteArray()) ?? new Uint8Array();
}

/**
 * Returns an object. The function must be permitted to list the bucket.
 * @returns undefined when there is no such object
 */
export async function findObject(Bucket: string, Key: string): Promise<Uint8Array | undefined> {
  try {
    return await getObject(Bucket, Key);
  } catch (error) {
    if (isNoSuchKey(error)) return undefined;
    throw error;
  }
}

/** Returns a range of an object's bytes. @param range the first byte and the number of bytes */
export async function getObjectRange(
  Bucket: string,
  Key: string,
  [start, length]: [number, number],
): Promise<Uint8Array> {
  if (length === 0) return new Uint8Array();
  const Range = `bytes=${start}-${start + length - 1}`;
  const { Body } = await get({ Bucket, Key, Range });
  return (await Body?.transformToByteArray()) ?? new Uint8Array();
}

/**
 * Returns an object that `putJson` has written. `Value` is not checked, because only Ingather's own code writes these
 * objects.
 */
export async function getJson<Value>(Bucket: string, Key: string): Promise<Value> {
  return JSON.parse(new TextDecoder().decode(await getObject(Bucket, Key)));
}

/** Streams an object of any size. */
export function streamObject(Bucket: string, Key: string): AsyncGenerator<Uint8Array> {
  return streamBody({ Bucket, Key });
}

/** Streams an object of any size, starting at the given byte. */
export function streamObjectFrom(Bucket: string, Key: string, start: number): AsyncGenerator<Uint8Array> {
  return streamBody({ Bucket, Key, ...(start > 0 && { Range: `bytes=${start}-` }) });
}

/** Streams a range of an object of any size. @param range the first byte and the number of bytes */
export async function* streamObjectRange(
  Bucket: string,
  Key: string,
  [start, length]: [number, number],
): AsyncGenerator<Uint8Array> {
  if (length === 0) return;
  const Range = `bytes=${start}-${start + length - 1}`;
  yield* streamBody({ Bucket, Key, Range });
}

async function* streamBody(object: GetObjectCommandInput): AsyncGenerator<Uint8Array> {
  const body = streamOf(await get(object));
  if (body !== undefined) yield* body;
}

/** In Node, a body is a stream. The SDK's type also includes the types of bodies in browsers. */
function streamOf({ Body }: GetObjectCommandOutput): AsyncIterable<Uint8Array> | undefined {
  return Body as unknown as AsyncIterable<Uint8Array> | undefined;
}

/**
 * Returns the size of an object in bytes. The function must be permitted to list the bucket.
 * @returns undefined when there is no such object
 */
export async function objectSize(Bucket: string, Key: string): Promise<number | undefined> {
  try {
    const { s3, HeadObjectCommand } = await load();
    return (await s3.send(new HeadObjectCommand({ Bucket, Key }))).ContentLength;
  } catch (error) {
    if (isS3Error(error) && error.name === "NotFound") return undefined;
    throw error;
  }
}

/**
 * Yields the objects whose keys begin with the prefix, in the order of their keys. The tag of an object changes with
 * its content.
 */
export async function listObjects(
  Bucket: string,
  Prefix: string,
): Promise<{ key: string; sizeBytes: number; tag: string }[]> {
  const objects: { key: string; sizeBytes: number; tag: string }[] = [];
  for await (const { Contents = [] } of pagesOf({ Bucket, Prefix })) {
    for (const { Key, Size = 0, ETag = "" } of Contents) {
      if (Key !== undefined) objects.push({ key: Key, sizeBytes: Size, tag: ETag });
    }
  }
  return objects;
}

/**
 * Lists the objects of a bucket that does not belong to Ingather.
 * @returns the objects, or the reason why the bucket cannot be listed
 */
export async function listBucket(
  Bucket: string,
  Prefix: string,
): Promise<Awaited<ReturnType<typeof listObjects>> | { problem: string }> {
  try {
    return await listObjects(Bucket, Prefix);
  } catch (error) {
    if (!isS3Error(error) || error.$fault !== "client") throw error;
    return { problem: `the bucket ${Bucket} cannot be listed: ${error.message || error.name}` };
  }
}

/**
 * Returns an object as a stream.
 * @returns undefined when there is no object with this tag
 */
export async function findObjectStream(
  Bucket: string,
  Key: string,
  IfMatch: string,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  try {
    return streamOf(await get({ Bucket, Key, IfMatch }));
  } catch (error) {
    if (isS3Error(error) && ["NoSuchKey", "PreconditionFailed"].includes(error.name)) return undefined;
    throw error;
  }
}

/** Yields the keys of all objects, in order. Used by commands of operators. */
export async function* objectKeysIn(Bucket: string): AsyncGenerator<string> {
  for await (const { Contents = [] } of pagesOf({ Bucket })) {
    for (const { Key } of Contents) if (Key !== undefined) yield Key;
  }
}

/** Writes an object of any size from memory, in several parts if it is large. */
export async function putObject(
  Bucket: string,
  Key: string,
  { content, contentType }: { content: Uint8Array; contentType: string },
): Promise<void> {
  await writeObject(Bucket, Key, { content: [content], contentType });
}

/** Deletes an object. Has no effect when there is no such object. */
export async function deleteObject(Bucket: string, Key: string): Promise<void> {
  const { s3, DeleteObjectCommand } = await load();
  await s3.send(new DeleteObjectCommand({ Bucket, Key }));
}

/** @param json the value, serialised as JSON */
export function putJson(Bucket: string, Key: string, json: string): Promise<void> {
  const content = new TextEncoder().encode(json);
  return putObject(Bucket, Key, { content, contentType: "application/json" });
}

/**
 * Stores a value as JSON under a key that contains its digest, so that a repeated call writes the same object. @returns
 * the key
 */
export async function putJsonByDigest(
  Bucket: string,
  keyOf: (digest: string) => string,
  value: object,
): Promise<string> {
  const json = JSON.stringify(value);
  const key = keyOf(digest(json));
  await putJson(Bucket, key, json);
  return key;
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Writes an object of any size, with only one part of it in memory. The object becomes visible when it is complete. The
 * bucket deletes the parts of an aborted upload.
 * @returns the size of the object in bytes
 */
export async function writeObject(
  Bucket: string,
  Key: string,
  { content, contentType }: { content: Pieces; contentType: string },
): Promise<number> {
  const { s3, PutObjectCommand, UploadPartCommand } = await load();
  const Parts: CompletedPart[] = [];
  let UploadId: string | undefined;
  let sizeBytes = 0;
  for await (const { part: Body, isLast } of partsOf(content)) {
    sizeBytes += Body.byteLength;
    if (isLast && UploadId === undefined) {
      await s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: contentType }));
      return sizeBytes;
    }
    UploadId ??= await beginUpload(Bucket, Key, contentType);
    const part = { Bucket, Key, UploadId, PartNumber: Parts.length + 1 };
    const { ETag, ChecksumCRC32 } = await s3.send(
      new UploadPartCommand({ ...part, ChecksumAlgorithm, Body }),
    );
    Parts.push({ ETag, ChecksumCRC32, PartNumber: part.PartNumber });
  }
  await completeUpload({ Bucket, Key, UploadId, MultipartUpload: { Parts } });
  return sizeBytes;
}

/**
 * Completes an upload. The SDK repeats a call whose response was lost. By then, the upload is complete and no longer
 * exists, so that error is ignored.
 */
async function completeUpload(upload: CompleteMultipartUploadCommandInput): Promise<void> {
  const { s3, CompleteMultipartUploadCommand } = await load();
  try {
    await s3.send(new CompleteMultipartUploadCommand(upload));
  } catch (error) {
    const isRepeat = isS3Error(error) && (error.$metadata.attempts ?? 1) > 1;
    if (!isRepeat || error.name !== "NoSuchUpload") throw error;
  }
}

async function beginUpload(Bucket: string, Key: string, ContentType: string): Promise<string | undefined> {
  const { s3, CreateMultipartUploadCommand } = await load();
  const upload = { Bucket, Key, ContentType, ChecksumAlgorithm };
  return (await s3.send(new CreateMultipartUploadCommand(upload))).UploadId;
}

/** Splits content into at least one part. All parts except the last one have the same size. */
async function* partsOf(content: Pieces): AsyncGenerator<{ part: Uint8Array; isLast: boolean }> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const piece of content) {
    pending.push(piece);
    size += piece.byteLength;
    while (size > partSizeBytes) {
      const all = joinPieces(pending);
      yield { part: all.subarray(0, partSizeBytes), isLast: false };
      pending = [all.subarray(partSizeBytes)];
      size -= partSizeBytes;
    }
  }
  yield { part: joinPieces(pending), isLast: true };
}

/** A single piece is not copied, because it may be a whole body. */
function joinPieces(pieces: Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}
