import * as z from "zod";
import { InputError } from "../../core/errors.ts";
import { inBatches } from "../../core/in-batches.ts";
import { closeRequest } from "../../records/runs/completion.ts";
import { createLongHarvest, endLongHarvest } from "../../records/runs/long-harvest.ts";
import { failedSourceOutcome } from "../../records/runs/run.ts";
import type { Source } from "../../records/sources/source.ts";
import { emptyListingResult } from "../listing/listing-results.ts";
import { noDelivery } from "../listing/no-delivery.ts";
import { storeUploadedFile } from "../uploads/store-uploaded-file.ts";
import type { Upload, UploadContent, UploadedDocument, UploadOutcome } from "../uploads/upload.ts";
import type { RandomAccessFile } from "../uploads/zip/random-access.ts";
import { keepUploaded } from "./keep-uploaded.ts";
import { listUploaded } from "./listed-uploads.ts";
import { readBatches } from "./read-batches.ts";
import { detectContent, singleFile } from "./read-file.ts";
import { openFolder } from "./read-folder.ts";
import { openMarcFile } from "./read-marc-file.ts";
import { openZipUpload } from "./read-zip-upload.ts";
import {
  noBatches,
  type ReadBatch,
  type ReadUploadPorts,
  refusedFile,
  type UploadContents,
  type UploadReading,
} from "./upload-reading.ts";
import { withoutWriting } from "./without-writing.ts";

/** The message of the queue of uploads. */
export const uploadMessage = z.object({
  uploadId: z.string().min(1),
  /** A folder that is read as an upload, for a poll. */
  folder: z.object({ sourceId: z.string(), runId: z.string(), startedAt: z.iso.datetime() }).optional(),
});

/** Documents with files that are kept, and converted, together. */
const documentBatchSize = 20;

/**
 * Reads an upload: keeps its documents, stores their files, and has the next delivery take their records. What one invocation
 * cannot read is left to the next. Repeatable: it gives the same outcomes, but for what has been stored before, which is
 * `unchanged`.
 * @throws InputError when there is no such upload
 */
export async function readUpload(
  { uploadId, folder }: z.output<typeof uploadMessage>,
  ports: ReadUploadPorts,
): Promise<void> {
  if (folder !== undefined) await ports.uploads.create(folderUpload(uploadId, folder));
  const upload = await ports.uploads.get(uploadId);
  if (upload === undefined) throw new InputError("uploadId", uploadId, "there is no such upload");
  if (upload.state === "done") return endPoll(upload, ports);
  if (upload.state === "cancelled") return endCancelled(upload, ports);
  const source = await ports.sources.source(upload.sourceId);
  const result =
    source === undefined
      ? { problem: `source ${upload.sourceId} is no longer configured` }
      : await readFor(source, upload, ports);
  if (result === "overtaken") return;
  if ("place" in result) return ports.documentUploads.send({ uploadId, place: result.place });
  await ports.uploads.change(uploadId, ["received"], {
    state: "done",
    doneAt: ports.clock.now().toISOString(),
    ...(result.problem !== undefined && { problem: result.problem }),
  });
  await endPoll({ ...upload, ...result }, ports);
}

/** Ends an upload that cannot be read to its end: what is kept of it is delivered. Repeatable. */
export async function settleUpload(
  { uploadId }: z.output<typeof uploadMessage>,
  ports: ReadUploadPorts,
  reason: string,
): Promise<void> {
  const upload = await ports.uploads.get(uploadId);
  if (upload === undefined) return;
  const problem = `it could not be read to its end: ${reason}`;
  const doneAt = ports.clock.now().toISOString();
  await ports.uploads.change(uploadId, ["received"], { state: "done", doneAt, problem });
  await endLongHarvest(runIdOf(uploadId), ports.runs);
  await endPoll({ ...upload, problem }, ports);
}

/** The run that the records of an upload are in, until a delivery takes them. */
function runIdOf(uploadId: string): string {
  return `upload-${uploadId}`;
}

function folderUpload(
  uploadId: string,
  { sourceId, runId, startedAt }: NonNullable<z.output<typeof uploadMessage>["folder"]>,
): Upload {
  const at = { createdAt: startedAt, receivedAt: startedAt };
  return { uploadId, sourceId, content: "folder", state: "received", files: [], pollId: runId, ...at };
}

/** What was read of it stays; a delivery takes it. */
async function endCancelled(upload: Upload, ports: ReadUploadPorts): Promise<void> {
  await endLongHarvest(runIdOf(upload.uploadId), ports.runs);
  await endPoll(upload, ports);
}

/** Notes in the poll of a file or folder that it is read. */
async function endPoll(
  { uploadId, sourceId, pollId, problem }: Upload,
  { runs }: ReadUploadPorts,
): Promise<void> {
  if (pollId === undefined) return;
  const source = { sourceId, title: sourceId };
  const outcome =
    problem === undefined ? emptyListingResult(source).outcome : failedSourceOutcome(source, problem);
  await runs.saveListingOutcome(pollId, uploadId, outcome);
  await closeRequest({ runId: pollId, sourceId, id: uploadId }, { runs, delivery: noDelivery });
}

/** @returns the batch that the next invocation begins with, if this one could not read all */
async function readFor(
  source: Source,
  upload: Upload,
  givenPorts: ReadUploadPorts,
): Promise<{ problem?: string } | { place: number } | "overtaken"> {
  const { uploadId, sourceId, receivedAt = upload.createdAt } = upload;
  const { deliveryMode } = source;
  const runId = runIdOf(uploadId);
  const joining = { sourceId, deliveryMode, startedAt: receivedAt, joinsWhenComplete: true };
  const ports = upload.dryRun ? withoutWriting(givenPorts) : givenPorts;
  const isDelivered = deliveryMode !== "NONE";
  const run = isDelivered ? await createLongHarvest(runId, joining, ports.runs) : undefined;
  const batch = (number: number) => ({ source, run, batchId: `${uploadId}.${number}`, listedAt: receivedAt });
  const reading = { upload, batch, ports };
  const content = await openContent(source, reading);
  const read = await readBatches(content.batches, reading);
  if (read.type === "interrupted") return { place: read.progress.parts.length };
  if (read.type === "overtaken") return "overtaken";
  if (run !== undefined) await endLongHarvest(runId, ports.runs);
  const problem = content.problem ?? content.foundProblem?.();
  return problem === undefined ? {} : { problem };
}

async function openContent(source: Source, reading: UploadReading): Promise<UploadContents> {
  const { upload, ports } = reading;
  if (upload.content === "documents") return { batches: documentBatches(reading) };
  if (upload.content === "folder") return openFolder(source, reading);
  if (upload.content === "file") return openDownload(source, reading);
  const [sent] = upload.files;
  const file = sent && (await ports.objects.file(upload.uploadId, sent.fileId));
  if (file === undefined) return { batches: noBatches(), problem: "the file was not uploaded" };
  return openSentFile(upload.content, file, reading);
}

function openSentFile(
  content: Exclude<UploadContent, "documents">,
  file: RandomAccessFile,
  reading: UploadReading,
): UploadContents | Promise<UploadContents> {
  return content === "zip" ? openZipUpload(file, reading) : openMarcFile(content, file, reading);
}

/** The file of a source of the type FILE. */
async function openDownload({ url }: Source, reading: UploadReading): Promise<UploadContents> {
  const { upload, ports } = reading;
  const { bodies, files, problem = "nothing was downloaded" } = upload;
  if (bodies === undefined) return { batches: noBatches(), problem };
  const file = ports.objects.downloaded(bodies);
  const name = files[0]?.name ?? "file";
  const content = await detectContent(file, name);
  if (content !== undefined) return openSentFile(content, file, reading);
  return { batches: singleFile(file, { url, name }, reading) };
}

async function* documentBatches(reading: UploadReading): AsyncGenerator<ReadBatch> {
  const { upload, ports } = reading;
  const documents = await ports.objects.loadDocuments(upload.uploadId);
  let place = 0;
  for (const [number, some] of inBatches(documents, documentBatchSize).entries()) {
    const firstFile = place;
    yield () => readDocuments(some, { number, firstFile }, reading);
    place += some.reduce((sum, { files }) => sum + files.length, 0);
  }
}

async function readDocuments(
  documents: UploadedDocument[],
  { number, firstFile }: { number: number; firstFile: number },
  { upload, batch, ports }: UploadReading,
): Promise<UploadOutcome[]> {
  const { uploadId, sourceId, files } = upload;
  const outcomes: UploadOutcome[] = [];
  let place = firstFile;
  const kept = await keepUploaded(documents.map(listUploaded), batch(number), ports);
  for (const [index, outcome] of kept.entries()) {
    outcomes.push(outcome);
    for (const { name, contentType } of documents[index]?.files ?? []) {
      const fileId = files[place++]?.fileId ?? "";
      const { documentId } = outcome;
      if (documentId === undefined) {
        outcomes.push(refusedFile(name, "its document is refused"));
        continue;
      }
      const file = await ports.objects.file(uploadId, fileId);
      outcomes.push(
        file === undefined
          ? refusedFile(name, "it was not uploaded")
          : await storeUploadedFile(
              file.read(0, file.sizeBytes),
              { sourceId, documentId, uploadId, name, contentType },
              ports,
            ),
      );
    }
  }
  return outcomes;
}
