import type { Converted } from "../../shared/harvest/convert/conversion.ts";
import { writeIso2709 } from "../../shared/marc/iso2709-writer.ts";
import { writeMarcXml } from "../../shared/marc/marcxml-writer.ts";
import type { Output } from "./command.ts";

export const recordFormats = ["marcxml", "iso2709", "json"] as const;
export type RecordFormat = (typeof recordFormats)[number];

/** Writes records in a format; yields the reasons of those that the format has no room for. */
export function writeConverted(records: Converted[], format: RecordFormat, output: Output): string[] {
  switch (format) {
    case "marcxml":
      output.write(writeMarcXml(records.map(({ record }) => record)));
      return [];
    case "json":
      for (const { record, hash } of records) output.write(`${JSON.stringify({ ...record, hash })}\n`);
      return [];
    case "iso2709":
      return records.flatMap(({ record, title }) => {
        const written = writeIso2709(record);
        if (written.type === "refused") return [`too-long: ${written.reason}: ${title}`];
        output.write(written.bytes);
        return [];
      });
  }
}
