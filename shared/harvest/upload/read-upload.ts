import { z } from "zod";
import { InputError } from "../../core/errors.ts";
import { inBatches } from "../../core/in-batches.ts";
import { storeUploadedFile } from "../../documents/uploads/store-uploaded-file.ts";
import type { Upload, UploadOutcome } from "../../documents/uploads/upload.ts";
import type { RandomAccessFile } from "../../documents/uploads/zip/random-access.ts";
import { readIso2709 } from "../../marc/iso2709-reader.ts";
import { readMarcXml } from "../../marc/marcxml-reader.ts";
import { createLongHarvest, endLongHarvest } from "../../runs/long-harvest.ts";
import type { Source } from "../../sources/source.ts";
import { keepUploaded } from "./keep-uploaded.ts";
import { type ListedUpload, listMarc, listUploaded } from "./listed-uploads.ts";
import { readZipUpload } from "./read-zip-upload.ts";
import {
  type ReadUploadPorts,
  refusedFile,
  type UploadReading,
  type UploadResult,
} from "./upload-reading.ts";

/** The message of the queue of uploads. */
export const uploadMessage = z.object({ uploadId: z.string().min(1) });

/** Documents that are kept, and converted, together. */
const uploadBatchSize = 100;

/**
 * Reads an upload: keeps its documents, stores their files, and has the next delivery take their records. Repeatable: it
 * gives the same outcomes, but for what has been stored before, which is `unchanged`.
 * @throws InputError when there is no such upload
 */
export async function readUpload(
  { uploadId }: z.output<typeof uploadMessage>,
  ports: ReadUploadPorts,
): Promise<void> {
  const upload = await ports.uploads.get(uploadId);
  if (upload === undefined) throw new InputError("uploadId", uploadId, "there is no such upload");
  if (upload.state === "done") return;
  const source = await ports.sources.source(upload.sourceId);
  const result =
    source === undefined
      ? { outcomes: [], problem: `source ${upload.sourceId} is no longer configured` }
      : await readFor(source, upload, ports);
  const { outcomes, problem } = result;
  await ports.objects.saveOutcomes(uploadId, outcomes);
  const countOf = (type: UploadOutcome["type"]) => outcomes.filter((each) => each.type === type).length;
  await ports.uploads.change(uploadId, ["received"], {
    state: "done",
    doneAt: ports.clock.now().toISOString(),
    ...(problem !== undefined && { problem }),
    counts: {
      documents: countOf("document"),
      files: countOf("file"),
      refused: outcomes.filter(({ outcome }) => outcome === "refused").length,
    },
  });
}

async function readFor(source: Source, upload: Upload, ports: ReadUploadPorts): Promise<UploadResult> {
  const { uploadId, sourceId, receivedAt = upload.createdAt } = upload;
  const { deliveryMode } = source;
  const runId = `upload-${uploadId}`;
  const joining = { sourceId, deliveryMode, startedAt: receivedAt, joinsWhenComplete: true };
  const run = deliveryMode === "NONE" ? undefined : await createLongHarvest(runId, joining, ports.runs);
  const batch = (number: number) => ({ source, run, batchId: `${uploadId}.${number}`, listedAt: receivedAt });
  const result = await readContent({ upload, batch, ports });
  if (run !== undefined) await endLongHarvest(runId, ports.runs);
  return result;
}

async function readContent(reading: UploadReading): Promise<UploadResult> {
  const { upload, ports } = reading;
  if (upload.content === "documents") return { outcomes: await readDocuments(reading) };
  const [sent] = upload.files;
  const file = sent && (await ports.objects.file(upload.uploadId, sent.fileId));
  if (file === undefined) return { outcomes: [], problem: "the file was not uploaded" };
  if (upload.content === "zip") return readZipUpload(file, reading);
  return { outcomes: await readMarcFile(file, reading) };
}

async function readDocuments({ upload, batch, ports }: UploadReading): Promise<UploadOutcome[]> {
  const { uploadId, sourceId, files } = upload;
  const documents = await ports.objects.loadDocuments(uploadId);
  const outcomes: UploadOutcome[] = [];
  let place = 0;
  for (const [number, some] of inBatches(documents, uploadBatchSize).entries()) {
    const kept = await keepUploaded(some.map(listUploaded), batch(number), ports);
    for (const [index, outcome] of kept.entries()) {
      outcomes.push(outcome);
      for (const { name, contentType } of some[index]?.files ?? []) {
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
  }
  return outcomes;
}

async function readMarcFile(
  file: RandomAccessFile,
  { upload, batch, ports }: UploadReading,
): Promise<UploadOutcome[]> {
  const readMarc = upload.content === "marcxml" ? readMarcXml : readIso2709;
  const outcomes: UploadOutcome[] = [];
  let some: ListedUpload[] = [];
  let batches = 0;
  let records = 0;
  const keep = async () => {
    outcomes.push(...(await keepUploaded(some, batch(batches++), ports)));
    some = [];
  };
  for await (const outcome of readMarc(file.read(0, file.sizeBytes))) {
    some.push(listMarc(outcome, ++records));
    if (some.length === uploadBatchSize) await keep();
  }
  await keep();
  return outcomes;
}
