import type { Converted } from "../../shared/harvest/convert/conversion.ts";
import { writeIso2709 } from "../../shared/marc/iso2709-writer.ts";
import { writeMarcXml } from "../../shared/marc/marcxml-writer.ts";
import { structureProblem } from "../../shared/marc/structure.ts";
import type { Output } from "./command.ts";

export const recordFormats = ["marcxml", "iso2709", "json"] as const;
export type RecordFormat = (typeof recordFormats)[number];

/** Writes records in a format; yields the reasons of those that it cannot carry. */
export function writeConverted(records: Converted[], format: RecordFormat, output: Output): string[] {
  if (format === "json") {
    for (const { record, hash } of records) output.write(`${JSON.stringify({ ...record, hash })}\n`);
    return [];
  }
  const judged = records.map((one) => ({ ...one, problem: structureProblem(one.record) }));
  const refused = judged.flatMap(({ problem, title }) => (problem ? [`no-marc: ${problem}: ${title}`] : []));
  const sound = judged.filter(({ problem }) => problem === undefined);
  if (format === "iso2709") return [...refused, ...sound.flatMap((one) => writeIso(one, output))];
  output.write(writeMarcXml(sound.map(({ record }) => record)));
  return refused;
}

function writeIso({ record, title }: Converted, output: Output): string[] {
  const written = writeIso2709(record);
  if (written.type === "refused") return [`too-long: ${written.reason}: ${title}`];
  output.write(written.bytes);
  return [];
}
