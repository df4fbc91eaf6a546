import { budgets } from "../../core/budgets.ts";
import type { Clock } from "../../core/clock.ts";
import { InputError } from "../../core/errors.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import {
  type ExpectedFile,
  maxFilesInUpload,
  type NewUpload,
  type Upload,
  type UploadObjects,
  type UploadStore,
} from "./upload.ts";

export interface StartUploadPorts {
  sources: Pick<SourceStore, "source">;
  uploads: UploadStore;
  uploadObjects: UploadObjects;
  documentUploads: { send(message: { uploadId: string }): Promise<void> };
  clock: Pick<Clock, "now">;
  newId(): string;
}

/**
 * Stores an upload that waits for its files; one without files is read at once.
 * @throws InputError for a source that takes no uploads, too many files, or one identifier twice
 */
export async function startUpload(
  body: NewUpload,
  { dryRun }: { dryRun: boolean },
  ports: StartUploadPorts,
): Promise<Upload> {
  const { sourceId, content } = body;
  const source = await ports.sources.source(sourceId);
  if (source === undefined) throw new InputError("sourceId", sourceId, "there is no such source");
  if (source.type !== "UPLOAD")
    throw new InputError("sourceId", sourceId, `is of the type ${source.type}, not UPLOAD`);
  const files = expectedFiles(body);
  const upload: Upload = {
    uploadId: ports.newId(),
    sourceId,
    content,
    state: "waiting",
    ...(dryRun && { dryRun }),
    files,
    createdAt: ports.clock.now().toISOString(),
  };
  if (body.content === "documents") await ports.uploadObjects.saveDocuments(upload.uploadId, body.documents);
  await ports.uploads.create(upload);
  if (files.length > 0) return upload;
  const received = await receive(upload, ports);
  await ports.documentUploads.send({ uploadId: upload.uploadId });
  return received;
}

/** @throws InputError for too many files, or one identifier twice */
function expectedFiles(body: NewUpload): ExpectedFile[] {
  if (body.content !== "documents") return [{ fileId: "0", name: body.content }];
  const identifiers = new Set<string>();
  for (const [place, { identifier }] of body.documents.entries()) {
    if (identifiers.has(identifier)) {
      throw new InputError(`documents.${place}.identifier`, identifier, "an earlier document has it");
    }
    identifiers.add(identifier);
  }
  const names = body.documents.flatMap(({ files }) => files.map(({ name }) => name));
  if (names.length > maxFilesInUpload) {
    throw new InputError(
      "documents",
      undefined,
      `have more than ${maxFilesInUpload} files together: send an archive`,
    );
  }
  const nameBytes = Buffer.byteLength(names.join(""));
  if (nameBytes > budgets.uploadNameBytes) {
    const most = budgets.uploadNameBytes;
    throw new InputError(
      "documents",
      undefined,
      `have names of files of ${nameBytes} bytes, more than ${most}`,
    );
  }
  return names.map((name, place) => ({ fileId: String(place), name }));
}

/** Has an upload read whose files are sent. */
export async function receive(upload: Upload, { uploads, clock }: StartUploadPorts): Promise<Upload> {
  const change = { state: "received" as const, receivedAt: clock.now().toISOString() };
  if (await uploads.change(upload.uploadId, ["waiting"], change)) return { ...upload, ...change };
  return (await uploads.get(upload.uploadId)) ?? upload;
}
