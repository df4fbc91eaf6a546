import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { readTitledText } from "../../formats/page/page-text.ts";
import { bodyOfCapture } from "../../web/exchange/captured-body.ts";
import { fieldIn } from "../warc/header-field.ts";
import type { CdxjLine } from "./wacz-index.ts";
import type { PackedWarc } from "./wacz-zip.ts";

/** The title of a captured page, and its text, by which a viewer finds it. */
export interface CapturedPage {
  title?: string;
  text?: string;
}

/** Reads a page in a WARC file. @returns an empty page if the record cannot be read as a page */
export type ReadCapturedPage = (capture: CdxjLine) => Promise<CapturedPage>;

const inflate = promisify(gunzip);

/** A page with a larger record is not read. */
const maxRecordBytes = 8 * 1024 * 1024;

const emptyLine = "\r\n\r\n";

/** Returns a function that reads pages in these WARC files. @throws errors of reading the files */
export function capturedPages(warcs: readonly PackedWarc[]): ReadCapturedPage {
  const byName = new Map(warcs.map((warc) => [warc.name, warc]));
  return async ({ fields: { filename = "", offset, length } }) => {
    const warc = byName.get(filename);
    if (warc === undefined || !filename.endsWith(".gz") || !(Number(length) <= maxRecordBytes)) return {};
    const member = await buffer(warc.content({ offset: Number(offset), length: Number(length) }));
    const record = await inflate(member, { maxOutputLength: maxRecordBytes }).catch(() => undefined);
    return record === undefined ? {} : readRecord(record);
  };
}

async function readRecord(record: Buffer): Promise<CapturedPage> {
  const headerBytes = record.indexOf(emptyLine) + emptyLine.length;
  const header = record.toString("latin1", 0, headerBytes);
  if (fieldIn(header, "WARC-Type") !== "response") return {};
  const response = record.subarray(headerBytes, headerBytes + Number(fieldIn(header, "Content-Length")));
  const head = response.toString("latin1", 0, response.indexOf(emptyLine));
  const page = readTitledText(await bodyOfCapture(response), { contentType: fieldIn(head, "Content-Type") });
  const text = page?.blocks.map((block) => block.text).join("\n") ?? "";
  return { ...(page?.title !== undefined && { title: page.title }), ...(text !== "" && { text }) };
}
