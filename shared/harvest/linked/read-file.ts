import { charsetIn, decodeStrictly, markedEncoding, startOf } from "../../web/encoding/character-encoding.ts";
import { readBibtex } from "./bibtex.ts";
import { type FileReading, MAX_FILE_BYTES } from "./linked-file.ts";
import { readMods } from "./mods.ts";
import { readOaiDc } from "./oai-dc.ts";
import { readRis } from "./ris.ts";

/** The formats of linked files that are read, in the order in which Zotero prefers them. */
export const fileKinds = ["mods", "ris", "bibtex"] as const;

/** The formats in which a record of an unAPI server is read, the one that says most first. */
export const recordKinds = [...fileKinds, "oai-dc"] as const;
export type RecordKind = (typeof recordKinds)[number];

const readers: Readonly<Record<RecordKind, (text: string) => FileReading>> = {
  mods: readMods,
  ris: readRis,
  bibtex: readBibtex,
  "oai-dc": readOaiDc,
};

/** Reads a linked file, whatever media type it was served under: many say `text/plain` or `text/html`. */
export function readFile(kind: RecordKind, bytes: Uint8Array, contentType: string | undefined): FileReading {
  if (bytes.byteLength > MAX_FILE_BYTES)
    return { type: "unreadable", detail: `it has ${bytes.byteLength} bytes, more than ${MAX_FILE_BYTES}` };
  return readers[kind](decodeFile(bytes, contentType));
}

/** The text by its mark or the encoding that its header names; else UTF-8, or windows-1252 where it is none. */
export function decodeFile(bytes: Uint8Array, contentType: string | undefined): string {
  const named = markedEncoding(startOf(bytes)) ?? charsetIn(contentType);
  const strictly = (label: string | undefined) =>
    label === undefined ? undefined : decodeStrictly(bytes, label);
  return strictly(named) ?? strictly("utf-8") ?? new TextDecoder("windows-1252").decode(bytes);
}
