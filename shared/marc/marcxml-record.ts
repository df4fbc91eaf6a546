import { marcXmlNamespace } from "./marcxml-names.ts";
import { MarcXmlParser } from "./marcxml-parser.ts";
import type { MarcRecord } from "./record.ts";

/** Decides by their namespace whether XML metadata are MARCXML. */
export function isMarcXml(metadata: string): boolean {
  return metadata.includes(marcXmlNamespace);
}

/**
 * Returns the first MARC-21 record of MARCXML metadata.
 * @returns undefined for other metadata, and for a record that violates the schema
 */
export function readMarcXmlRecord(metadata: string): MarcRecord | undefined {
  if (!isMarcXml(metadata)) return undefined;
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
