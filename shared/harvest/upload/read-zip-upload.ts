import { inBatches } from "../../core/in-batches.ts";
import { manifestName, maxManifestBytes, type ReadManifest, readManifest } from "../uploads/read-manifest.ts";
import { storeUploadedFile } from "../uploads/store-uploaded-file.ts";
import type { ManifestDocument, UploadOutcome } from "../uploads/upload.ts";
import type { RandomAccessFile } from "../uploads/zip/random-access.ts";
import { openZip, type ZipArchive, type ZipFileEntry } from "../uploads/zip/read-zip.ts";
import { keepUploaded } from "./keep-uploaded.ts";
import { type ListedUpload, listUploaded } from "./listed-uploads.ts";
import { describeFile } from "./read-file.ts";
import {
  noBatches,
  type ReadBatch,
  refusedFile,
  type UploadContents,
  type UploadReading,
} from "./upload-reading.ts";

const maxMetadataBytes = 1_000_000;

/** Documents of which the metadata are in memory at a time. */
const batchSize = 20;

/** An archive whose directory has been read. */
interface OpenArchive {
  archive: ZipArchive;
  files: ReadonlyMap<string, ZipFileEntry>;
  refused: ReadonlyMap<string, string>;
}

/**
 * Opens the archive of an upload: the documents of its manifest with their files, in batches. Entries that it does not name are
 * refused.
 */
export async function openZipUpload(file: RandomAccessFile, reading: UploadReading): Promise<UploadContents> {
  const archive = await openZip(file);
  if ("problem" in archive) return { batches: noBatches(), problem: archive.problem };
  const { entries } = archive;
  const files = new Map(entries.flatMap((entry) => (entry.type === "file" ? [[entry.name, entry]] : [])));
  const refused = entries.filter((entry) => entry.type === "refused");
  const open: OpenArchive = {
    archive,
    files,
    refused: new Map(refused.map(({ name, reason }) => [name, reason])),
  };
  const outcomes = refused.map(({ name, reason }) => refusedFile(name, reason));
  if (reading.upload.content === "file" && !files.has(manifestName)) {
    return { batches: entryBatches(outcomes, { open, reading }) };
  }
  const text = await readText(manifestName, maxManifestBytes, open);
  const manifest =
    "problem" in text ? { problem: `${manifestName}: ${text.problem}` } : readManifest(text.text);
  if ("problem" in manifest) return { batches: batchesOf(outcomes), problem: manifest.problem };
  return { batches: manifestBatches([...outcomes, ...manifest.refused], manifest, { open, reading }) };
}

async function* batchesOf(outcomes: UploadOutcome[]): AsyncGenerator<ReadBatch> {
  if (outcomes.length > 0) yield async () => outcomes;
}

/** Each file of an archive without manifest is a document with one item. */
async function* entryBatches(
  refused: UploadOutcome[],
  at: { open: OpenArchive; reading: UploadReading },
): AsyncGenerator<ReadBatch> {
  yield* batchesOf(refused);
  const documents = [...at.open.files.values()].map(({ name, sizeBytes }) => ({
    listed: { listed: describeFile({ identifier: name, name, sizeBytes }) },
    files: [{ name }],
  }));
  for (const [number, some] of inBatches(documents, batchSize).entries())
    yield () => keepListed(some, number, at);
}

async function* manifestBatches(
  refused: UploadOutcome[],
  { documents }: ReadManifest,
  at: { open: OpenArchive; reading: UploadReading },
): AsyncGenerator<ReadBatch> {
  yield* batchesOf(refused);
  for (const [number, some] of inBatches(documents, batchSize).entries())
    yield () => keepBatch(some, number, at);
  const named = documents.flatMap(({ metadata, files }) => [metadata, ...files.map(({ name }) => name)]);
  const isNamed = new Set([manifestName, ...named]);
  const unnamed = [...at.open.files.keys()].filter((name) => !isNamed.has(name));
  yield* batchesOf(unnamed.map((name) => refusedFile(name, `${manifestName} does not name it`)));
}

async function keepBatch(
  documents: ManifestDocument[],
  number: number,
  { open, reading }: { open: OpenArchive; reading: UploadReading },
): Promise<UploadOutcome[]> {
  const listed: ListedWithFiles[] = [];
  for (const document of documents)
    listed.push({ listed: await listDocument(document, open), files: document.files });
  return keepListed(listed, number, { open, reading });
}

interface ListedWithFiles {
  listed: ListedUpload;
  files: ManifestDocument["files"];
}

async function keepListed(
  documents: ListedWithFiles[],
  number: number,
  { open, reading }: { open: OpenArchive; reading: UploadReading },
): Promise<UploadOutcome[]> {
  const { upload, batch, ports } = reading;
  const { uploadId, sourceId } = upload;
  const kept = await keepUploaded(
    documents.map(({ listed }) => listed),
    batch(number),
    ports,
  );
  const outcomes: UploadOutcome[] = [];
  for (const [index, outcome] of kept.entries()) {
    outcomes.push(outcome);
    for (const { name, contentType } of documents[index]?.files ?? []) {
      // Said above already.
      if (open.refused.has(name)) continue;
      const entry = open.files.get(name);
      const { documentId } = outcome;
      if (entry === undefined || documentId === undefined) {
        const reason = entry === undefined ? "it is missing from the archive" : "its document is refused";
        outcomes.push(refusedFile(name, reason));
        continue;
      }
      const described = { sourceId, documentId, uploadId, name, contentType };
      const stored = await open.archive.unpack(entry, (chunks) =>
        storeUploadedFile(chunks, described, ports),
      );
      outcomes.push(stored.type === "unpacked" ? stored.result : refusedFile(name, stored.reason));
    }
  }
  return outcomes;
}

async function listDocument(
  { metadata: name, ...document }: ManifestDocument,
  open: OpenArchive,
): Promise<ListedUpload> {
  const metadata = await readText(name, maxMetadataBytes, open);
  if ("text" in metadata) return listUploaded({ ...document, metadata: metadata.text });
  const reason = `${name}: ${metadata.problem}`;
  return { refused: { type: "document", name: document.identifier, outcome: "refused", reason } };
}

async function readText(
  name: string,
  maxBytes: number,
  { archive, files, refused }: OpenArchive,
): Promise<{ text: string } | { problem: string }> {
  const entry = files.get(name);
  if (entry === undefined) return { problem: refused.get(name) ?? "it is missing from the archive" };
  if (entry.sizeBytes > maxBytes) return { problem: `it has more than ${maxBytes} bytes` };
  const unpacked = await archive.unpack(entry, async (chunks) => {
    const pieces: Uint8Array[] = [];
    for await (const chunk of chunks) pieces.push(chunk);
    return Buffer.concat(pieces);
  });
  if (unpacked.type === "refused") return { problem: unpacked.reason };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(unpacked.result) };
  } catch {
    return { problem: "it is not UTF-8" };
  }
}
