import type { Converted } from "../../../shared/harvest/convert/conversion.ts";
import { writeIso2709 } from "../../../shared/marc/iso2709-writer.ts";
import { writeMarcXml } from "../../../shared/marc/marcxml-writer.ts";
import { findStructureProblem } from "../../../shared/marc/record-structure.ts";
import type { Output } from "./command.ts";

export const recordFormats = ["marcxml", "iso2709", "json"] as const;
export type RecordFormat = (typeof recordFormats)[number];

/** A record with the place of its item, which refusals report. */
export type LabelledRecord = Pick<Converted, "record" | "hash"> & { place: string };

/** Writes records in a format. Yields a reason and a place for each record that the format cannot represent. */
export function writeConverted(
  records: readonly LabelledRecord[],
  format: RecordFormat,
  output: Output,
): string[] {
  if (format === "json") {
    for (const { record, hash } of records) output.write(`${JSON.stringify({ ...record, hash })}\n`);
    return [];
  }
  const checked = records.map((one) => ({ ...one, problem: findStructureProblem(one.record) }));
  const refused = checked.flatMap(({ problem, place }) =>
    problem ? [`no-marc: ${problem} (${place})`] : [],
  );
  const sound = checked.filter(({ problem }) => problem === undefined);
  if (format === "iso2709") return [...refused, ...sound.flatMap((one) => writeIso(one, output))];
  output.write(writeMarcXml(sound.map(({ record }) => record)));
  return refused;
}

function writeIso({ record, place }: LabelledRecord, output: Output): string[] {
  const written = writeIso2709(record);
  if (written.type === "too-long") return [`too-long: ${written.reason} (${place})`];
  output.write(written.bytes);
  return [];
}
