import { parseMods } from "../../formats/mods.ts";
import { parseOaiDc } from "../../formats/oai-dc.ts";
import { readMarcXmlRecord } from "../../marc/marcxml-record.ts";

/**
 * Normalises XML metadata by their vocabulary, regardless of the name that their source gives it. The result is empty
 * for an unknown vocabulary.
 */
export function normalizeMetadata(metadata: string): Record<string, unknown> {
  if (metadata.includes("http://purl.org/dc/elements/1.1/")) return firstRecordOf(parseOaiDc(metadata));
  if (metadata.includes("http://www.loc.gov/mods/v3")) return firstRecordOf(parseMods(metadata));
  const marc = readMarcXmlRecord(metadata);
  return marc === undefined ? {} : { marc };
}

function firstRecordOf(result: ReturnType<typeof parseOaiDc>): Record<string, unknown> {
  return result.type === "records" ? { ...result.records[0] } : {};
}
