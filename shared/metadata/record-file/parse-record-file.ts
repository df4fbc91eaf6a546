import { charsetIn, decodeStrictly, markedEncoding, startOf } from "../../web/encoding/character-encoding.ts";
import { parseBibtex } from "../bibtex/bibtex.ts";
import { parseMods } from "../mods.ts";
import { parseOaiDc } from "../oai-dc.ts";
import { parseRis } from "../ris.ts";
import { maxFileBytes, type RecordFileResult } from "./record-file-result.ts";

/** The formats of linked files that are read, in the order in which Zotero prefers them. */
export const fileFormats = ["mods", "ris", "bibtex"] as const;

/** The formats in which a record of an unAPI server is read, the one that says most first. */
export const recordFormats = [...fileFormats, "oai-dc"] as const;
export type RecordFormat = (typeof recordFormats)[number];

const parsers: Readonly<Record<RecordFormat, (text: string) => RecordFileResult>> = {
  mods: parseMods,
  ris: parseRis,
  bibtex: parseBibtex,
  "oai-dc": parseOaiDc,
};

/** Reads a linked file, whatever media type it was served under: many say `text/plain` or `text/html`. */
export function parseRecordFile(
  kind: RecordFormat,
  bytes: Uint8Array,
  contentType: string | undefined,
): RecordFileResult {
  if (bytes.byteLength > maxFileBytes)
    return { type: "unreadable", detail: `it has ${bytes.byteLength} bytes, more than ${maxFileBytes}` };
  return parsers[kind](decodeRecordFile(bytes, contentType));
}

/** The text by its mark or the encoding that its header names; else UTF-8, or windows-1252 where it is none. */
export function decodeRecordFile(bytes: Uint8Array, contentType: string | undefined): string {
  const named = markedEncoding(startOf(bytes)) ?? charsetIn(contentType);
  const strictly = (label: string | undefined) =>
    label === undefined ? undefined : decodeStrictly(bytes, label);
  return strictly(named) ?? strictly("utf-8") ?? new TextDecoder("windows-1252").decode(bytes);
}
