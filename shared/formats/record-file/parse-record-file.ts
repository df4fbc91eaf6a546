import { charsetIn, decodeStrictly, markedEncoding, startOf } from "../../xml/character-encoding.ts";
import { parseBibtex } from "../bibtex/bibtex.ts";
import { parseMods } from "../mods.ts";
import { parseOaiDc } from "../oai-dc.ts";
import { maxFileBytes, type RecordFileResult } from "../record-file-result.ts";
import { parseRis } from "../ris.ts";

/** The supported formats of linked files, in Zotero's order of preference. */
export const fileFormats = ["mods", "ris", "bibtex"] as const;

/** The supported formats of unAPI servers, the richest first. */
export const recordFormats = [...fileFormats, "oai-dc"] as const;
export type RecordFormat = (typeof recordFormats)[number];

const parsers: Readonly<Record<RecordFormat, (text: string) => RecordFileResult>> = {
  mods: parseMods,
  ris: parseRis,
  bibtex: parseBibtex,
  "oai-dc": parseOaiDc,
};

/** Parses a linked file. Its media type is ignored, because many files are served as `text/plain` or `text/html`. */
export function parseRecordFile(
  kind: RecordFormat,
  bytes: Uint8Array,
  contentType: string | undefined,
): RecordFileResult {
  if (bytes.byteLength > maxFileBytes)
    return { type: "unreadable", detail: `it has ${bytes.byteLength} bytes, more than ${maxFileBytes}` };
  return parsers[kind](decodeRecordFile(bytes, contentType));
}

/** Decodes a file by its byte order mark or charset, otherwise as UTF-8 or, if that fails, as windows-1252. */
export function decodeRecordFile(bytes: Uint8Array, contentType: string | undefined): string {
  const named = markedEncoding(startOf(bytes)) ?? charsetIn(contentType);
  const strictly = (label: string | undefined) =>
    label === undefined ? undefined : decodeStrictly(bytes, label);
  return strictly(named) ?? strictly("utf-8") ?? new TextDecoder("windows-1252").decode(bytes);
}
