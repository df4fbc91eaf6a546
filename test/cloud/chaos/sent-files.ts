import { buffer } from "node:stream/consumers";
import yazl from "yazl";
import { writeIso2709 } from "../../../shared/marc/iso2709-writer.ts";
import { writeMarcXml } from "../../../shared/marc/marcxml-writer.ts";
import type { MarcRecord } from "../../../shared/marc/record.ts";

/** What a record or file of an upload must come to: it is kept, or refused. */
export type Expected = Record<string, "kept" | "refused">;

/** An upload: what is posted, the content of each of its files, and the outcomes by the names of records and files. */
export interface SentUpload {
  body: { sourceId: string; content: string; documents?: object[] };
  content(name: string): Uint8Array<ArrayBuffer>;
  expected: Expected;
  /** The titles of its records that a delivery must contain. */
  titles: string[];
}

/** Each seventh record is not valid. */
const isBad = (number: number) => number % 7 === 6;

/** An upload with this number of records: of MARC, or of documents with a file each. */
export function uploadOf(
  content: "marcxml" | "iso2709" | "documents" | "zip",
  { sourceId, name, size }: { sourceId: string; name: string; size: number },
): Promise<SentUpload> | SentUpload {
  const numbers = Array.from({ length: size }, (_, index) => index);
  const title = (number: number) => `Record ${number} of ${name}`;
  const titles = numbers.filter((number) => !isBad(number)).map(title);
  if (content === "marcxml" || content === "iso2709") {
    const marc = numbers.map((number) =>
      marcOf(isBad(number) ? undefined : `${name}-${number}`, title(number)),
    );
    const bytes = new Uint8Array(content === "marcxml" ? Buffer.from(writeMarcXml(marc)) : isoBytes(marc));
    const expected = numbers.map((number) =>
      isBad(number) ? [`record ${number + 1}`, "refused"] : [`${name}-${number}`, "kept"],
    );
    return {
      body: { sourceId, content },
      content: () => bytes,
      expected: Object.fromEntries(expected),
      titles,
    };
  }
  const documents = numbers.map((number) => ({
    identifier: `${name}-${number}`,
    format: "oai_dc",
    metadata: isBad(number) ? "<broken>" : dublinCore(title(number), `${name}-${number}`),
    files: [{ name: `${name}-${number}.pdf` }],
  }));
  const expected = Object.fromEntries(
    documents.flatMap(({ identifier, files }, number) => {
      const outcome = isBad(number) ? ("refused" as const) : ("kept" as const);
      return [[identifier, outcome], ...files.map((file) => [file.name, outcome])];
    }),
  );
  if (content === "documents")
    return { body: { sourceId, content, documents }, content: pdfOf, expected, titles };
  return zipOf(documents).then((bytes) => ({
    body: { sourceId, content },
    content: () => bytes,
    expected,
    titles,
  }));
}

export function pdfOf(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`%PDF-1.7 ${name}`));
}

async function zipOf(
  documents: { identifier: string; metadata: string; files: { name: string }[] }[],
): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new yazl.ZipFile();
  const described = documents.map((document) => ({ ...document, metadata: `${document.identifier}.xml` }));
  zip.addBuffer(Buffer.from(JSON.stringify({ documents: described })), "manifest.json");
  for (const { identifier, metadata, files } of documents) {
    zip.addBuffer(Buffer.from(metadata), `${identifier}.xml`);
    for (const { name } of files) zip.addBuffer(Buffer.from(pdfOf(name)), name);
  }
  zip.end();
  return new Uint8Array(await buffer(zip.outputStream));
}

function marcOf(number: string | undefined, title: string): MarcRecord {
  const control: MarcRecord["control"] = number === undefined ? [] : [["001", number]];
  return { leader: "00000nab a2200000 c 4500", control, fields: [["245", "00", [["a", title]]]] };
}

function isoBytes(records: MarcRecord[]): Buffer {
  return Buffer.concat(
    records.map((record) => {
      const written = writeIso2709(record);
      if (written.type !== "written") throw new Error("the record is too long");
      return written.bytes;
    }),
  );
}

function dublinCore(title: string, id: string): string {
  const elements = {
    title,
    creator: "Doe, Jane",
    date: "2026",
    type: "article",
    identifier: `https://theses.example/${id}`,
  };
  const inner = Object.entries(elements).map(([name, text]) => `<dc:${name}>${text}</dc:${name}>`);
  const names =
    'xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"';
  return `<oai_dc:dc ${names}>${inner.join("")}</oai_dc:dc>`;
}
