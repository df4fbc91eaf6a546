import { MarcXmlParser } from "../marc/marcxml-parser.ts";
import type { MarcRecord } from "../marc/record.ts";
import { parseMods } from "../metadata/mods.ts";
import { parseOaiDc } from "../metadata/oai-dc.ts";

/** The normalised form of XML metadata, by their vocabulary, whatever their source calls it; empty for an unknown one. */
export function normalizeMetadata(metadata: string): Record<string, unknown> {
  if (metadata.includes("http://purl.org/dc/elements/1.1/")) return firstRecordOf(parseOaiDc(metadata));
  if (metadata.includes("http://www.loc.gov/mods/v3")) return firstRecordOf(parseMods(metadata));
  const marc = readMarc(metadata);
  return marc === undefined ? {} : { marc };
}

function firstRecordOf(result: ReturnType<typeof parseOaiDc>): Record<string, unknown> {
  return result.type === "records" ? { ...result.records[0] } : {};
}

/** The MARC-21 record of marcxml metadata; undefined for other metadata, and for a record that breaks the schema. */
function readMarc(metadata: string): MarcRecord | undefined {
  if (!metadata.includes("http://www.loc.gov/MARC21/slim")) return undefined;
  const parser = new MarcXmlParser();
  try {
    parser.write(metadata);
    parser.close();
  } catch {
    return undefined;
  }
  const [outcome] = parser.ready;
  return outcome?.type === "record" ? outcome.record : undefined;
}
