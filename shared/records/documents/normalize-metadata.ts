import { parseMods } from "../../formats/mods.ts";
import { parseOaiDc } from "../../formats/oai-dc.ts";
import { readMarcXmlRecord } from "../../marc/marcxml-record.ts";

/** The normalised form of XML metadata, by their vocabulary, whatever their source calls it; empty for an unknown one. */
export function normalizeMetadata(metadata: string): Record<string, unknown> {
  if (metadata.includes("http://purl.org/dc/elements/1.1/")) return firstRecordOf(parseOaiDc(metadata));
  if (metadata.includes("http://www.loc.gov/mods/v3")) return firstRecordOf(parseMods(metadata));
  const marc = readMarcXmlRecord(metadata);
  return marc === undefined ? {} : { marc };
}

function firstRecordOf(result: ReturnType<typeof parseOaiDc>): Record<string, unknown> {
  return result.type === "records" ? { ...result.records[0] } : {};
}
