import { marcXmlNamespace } from "./marcxml-names.ts";
import { MarcXmlParser } from "./marcxml-parser.ts";
import type { MarcRecord } from "./record.ts";

/** Whether XML metadata are MARCXML, by their namespace. */
export function isMarcXml(metadata: string): boolean {
  return metadata.includes(marcXmlNamespace);
}

/** The first MARC-21 record of MARCXML metadata; undefined for other metadata, and for a record that breaks the schema. */
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
