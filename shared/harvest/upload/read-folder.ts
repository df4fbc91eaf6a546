import { inBatches } from "../../core/in-batches.ts";
import type { Source } from "../../records/sources/source.ts";
import { currentFile, itemIdOf } from "../items/item.ts";
import type { FolderFile } from "../uploads/folder.ts";
import { storeUploadedFile, uploadedFileUrl } from "../uploads/store-uploaded-file.ts";
import type { UploadOutcome } from "../uploads/upload.ts";
import { keepUploaded } from "./keep-uploaded.ts";
import { describeFile } from "./read-file.ts";
import {
  noBatches,
  type ReadBatch,
  refusedFile,
  type UploadContents,
  type UploadReading,
} from "./upload-reading.ts";
import { deleteVanished } from "./vanished-files.ts";

/** Files whose documents are kept together. */
const batchSize = 50;
const maxFiles = 100_000;

/**
 * Reads a folder: each of its files is a document with one item. A new, changed or vanished file is a new, changed or deleted
 * document; of many vanished ones, an operator decides. The list of its files is stored first, so that each invocation reads the same one.
 */
export async function openFolder(source: Source, reading: UploadReading): Promise<UploadContents> {
  const { upload, ports } = reading;
  if (source.folder === undefined)
    return { batches: noBatches(), problem: `source ${source.sourceId} names no folder` };
  let listing = upload.listing;
  if (listing === undefined) {
    const files = await ports.folders.list(source.folder);
    if ("problem" in files) return { batches: noBatches(), problem: files.problem };
    if (files.length > maxFiles)
      return { batches: noBatches(), problem: `the folder has more than ${maxFiles} files` };
    const key = await ports.objects.saveListing(upload.uploadId, files);
    listing = await ports.uploads.keepListing(upload.uploadId, key);
  }
  const files = await ports.objects.loadListing(listing);
  let problem: string | undefined;
  const report = (found: string) => {
    problem = found;
  };
  return { batches: folderBatches(files, { source, report }, reading), foundProblem: () => problem };
}

async function* folderBatches(
  files: FolderFile[],
  { source, report }: { source: Source; report: (problem: string) => void },
  reading: UploadReading,
): AsyncGenerator<ReadBatch> {
  for (const [number, some] of inBatches(files, batchSize).entries())
    yield () => readFiles(some, { number, source }, reading);
  yield* deleteVanished({ source, names: new Set(files.map(({ name }) => name)) }, reading, report);
}

async function readFiles(
  files: FolderFile[],
  { number, source }: { number: number; source: Source },
  { upload, batch, ports }: UploadReading,
): Promise<UploadOutcome[]> {
  const { uploadId, sourceId } = upload;
  const listed = files.map((file) => ({ listed: describeFile({ identifier: file.name, ...file }) }));
  const kept = await keepUploaded(listed, batch(number), ports);
  const outcomes: UploadOutcome[] = [];
  for (const [index, outcome] of kept.entries()) {
    const file = files[index];
    const { documentId } = outcome;
    if (outcome.outcome !== "unchanged") outcomes.push(outcome);
    if (file === undefined || documentId === undefined) continue;
    const { name, etag } = file;
    const itemId = itemIdOf(documentId, uploadedFileUrl(name));
    const item = await ports.items.get({ documentId, itemId });
    if (item !== undefined && currentFile(item)?.etag === etag) continue;
    const content = source.folder && (await ports.folders.open(source.folder, file));
    outcomes.push(
      content === undefined
        ? refusedFile(name, "it has vanished, or was replaced, since the folder was listed")
        : await storeUploadedFile(content, { sourceId, documentId, uploadId, name, etag }, ports),
    );
  }
  return outcomes;
}
