import { writeIso2709 } from "../../marc/iso2709-writer.ts";
import { toMarcJson } from "../../marc/marc-json.ts";
import { writeMarcLines } from "../../marc/marc-lines.ts";
import { writeMarcXml } from "../../marc/marcxml-writer.ts";
import type { MarcRecord } from "../../marc/record.ts";

/** The media types of a record in addition to the JSON of the API, each with its content. */
export const recordFormats = {
  "application/marcxml+xml": "A MARCXML collection with the record",
  "application/xml": "The same MARCXML",
  "text/xml": "The same MARCXML",
  "application/marc": "ISO 2709, in UTF-8; 406 if the record is too long for ISO 2709",
  "application/marc+json":
    "[MARC-in-JSON](https://rossfsinger.com/blog/2010/09/a-proposal-to-serialize-marc-in-json/)",
  "text/plain": "One field per line, as in `245 10 $a Title $b rest`",
} as const;

export type RecordFormat = keyof typeof recordFormats;

/**
 * Formats a record.
 * @returns `too-long` for a record that is too long for ISO 2709
 */
export function formatRecord(
  record: MarcRecord,
  format: RecordFormat,
):
  | { type: "formatted"; body: string | Uint8Array<ArrayBuffer>; contentType: string }
  | { type: "too-long"; reason: string } {
  const formatted = (body: string | Uint8Array<ArrayBuffer>, contentType: string) =>
    ({ type: "formatted", body, contentType }) as const;
  switch (format) {
    case "application/marc": {
      const written = writeIso2709(record);
      return written.type === "too-long" ? written : formatted(new Uint8Array(written.bytes), format);
    }
    case "application/marc+json":
      return formatted(JSON.stringify(toMarcJson(record)), format);
    case "text/plain":
      return formatted(writeMarcLines(record), "text/plain; charset=utf-8");
    default:
      return formatted(new TextDecoder().decode(writeMarcXml([record])), `${format}; charset=utf-8`);
  }
}
