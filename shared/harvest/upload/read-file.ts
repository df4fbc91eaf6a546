import { marcXmlNamespace } from "../../marc/marcxml-names.ts";
import type { ListedDocument } from "../../records/documents/document.ts";
import { decodeMarked } from "../../xml/character-encoding.ts";
import { beginsAsXml } from "../../xml/decode-xml.ts";
import { storeUploadedFile } from "../uploads/store-uploaded-file.ts";
import type { UploadContent } from "../uploads/upload.ts";
import type { RandomAccessFile } from "../uploads/zip/random-access.ts";
import { keepUploaded } from "./keep-uploaded.ts";
import type { ReadBatch, UploadReading } from "./upload-reading.ts";

const headBytes = 4096;

/** What a zip begins with: a file, or the end of an empty one. */
const zipSignatures = ["PK\u0003\u0004", "PK\u0005\u0006"];

/** Formats of documents that are packed as zip, by the ends of their names. */
const packedDocument = /\.(epub|docx|xlsx|pptx|odt|ods|odp|odg)$/i;

/**
 * What a downloaded file is read as: an archive, MARC-21 records, or (undefined) one document.
 * @see https://www.loc.gov/marc/specifications/specrecstruc.html#leader
 */
export async function detectContent(
  file: RandomAccessFile,
  name: string,
): Promise<Exclude<UploadContent, "documents"> | undefined> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file.read(0, Math.min(headBytes, file.sizeBytes))) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const head = bytes.toString("latin1");
  if (zipSignatures.some((signature) => head.startsWith(signature)))
    return packedDocument.test(name) ? undefined : "zip";
  if (/^\d{5}[acdnp][a-z]{2}.[ a]22\d{5}/.test(head)) return "iso2709";
  const isMarcXml = beginsAsXml(bytes) && decodeMarked(bytes).includes(marcXmlNamespace);
  return isMarcXml ? "marcxml" : undefined;
}

/** A file that is one document: its URL is the document's identifier. */
export async function* singleFile(
  file: RandomAccessFile,
  { url, name }: { url: string; name: string },
  { upload: { uploadId, sourceId }, batch, ports }: UploadReading,
): AsyncGenerator<ReadBatch> {
  yield async () => {
    const listed = describeFile({ identifier: url, name, sizeBytes: file.sizeBytes });
    const [document] = await keepUploaded([{ listed }], batch(0), ports);
    if (document?.documentId === undefined) return document === undefined ? [] : [document];
    const { documentId } = document;
    const content = file.read(0, file.sizeBytes);
    return [document, await storeUploadedFile(content, { sourceId, documentId, uploadId, name }, ports)];
  };
}

/** A file that is a document of its own. */
export function describeFile({
  identifier,
  ...metadata
}: {
  identifier: string;
  name: string;
  sizeBytes: number;
  etag?: string;
}): ListedDocument {
  return {
    identifier: [identifier],
    title: metadata.name,
    content: { raw: JSON.stringify(metadata), mediaType: "application/json", format: "other", metadata },
  };
}
