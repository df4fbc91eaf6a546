import { blockOf, formatFields, type WarcRecord } from "./warc-record.ts";

/**
 * Returns the first record of a file, which describes the software and settings that created its records.
 * @param given.id `urn:uuid:…`
 * @param given.info `software`, `robots`, …
 * @see https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/#warcinfo
 */
export function warcinfoRecord({
  id,
  date,
  filename,
  info,
}: {
  id: string;
  date: Date;
  filename: string;
  info: readonly (readonly [name: string, value: string])[];
}): WarcRecord {
  return {
    type: "warcinfo",
    id,
    date,
    contentType: "application/warc-fields",
    fields: [["WARC-Filename", filename]],
    block: blockOf(formatFields([...info, ["format", "WARC File Format 1.1"]])),
  };
}
