import { marcXmlNamespace } from "../../marc/marcxml-names.ts";
import { readMarcXmlRecord } from "../../marc/marcxml-record.ts";
import { writeMarcXmlElement } from "../../marc/marcxml-writer.ts";
import type { MarcRecord } from "../../marc/record.ts";
import { findStructureProblem } from "../../marc/record-structure.ts";
import { marcToDc } from "../crosswalks/marc-to-dc.ts";
import { marcToMods } from "../crosswalks/marc-to-mods.ts";
import { readRawElement } from "./raw-element.ts";

/** The content of an item: its record, the metadata of its document, or both. */
export interface ItemContent {
  marc?: MarcRecord | undefined;
  raw?: string | undefined;
}

interface MetadataFormat {
  prefix: string;
  schema: string;
  namespace: string;
  /** Converts a MARC record. Absent for the metadata as their source sent them. */
  convert?: (record: MarcRecord) => string;
}

/** The formats in which records are given. @see https://www.openarchives.org/OAI/openarchivesprotocol.html#MetadataNamespaces */
export const metadataFormats: readonly MetadataFormat[] = [
  {
    prefix: "oai_dc",
    schema: "http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
    namespace: "http://www.openarchives.org/OAI/2.0/oai_dc/",
    convert: marcToDc,
  },
  {
    prefix: "marcxml",
    schema: "http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd",
    namespace: marcXmlNamespace,
    convert: writeMarcXmlElement,
  },
  {
    prefix: "mods",
    schema: "http://www.loc.gov/standards/mods/v3/mods-3-7.xsd",
    namespace: "http://www.loc.gov/mods/v3",
    convert: marcToMods,
  },
  // Each source has its own format, so the repository names none.
  { prefix: "raw", schema: "urn:ingather:raw", namespace: "urn:ingather:raw" },
];

/** Returns the format with a metadataPrefix. */
export function formatOf(prefix: string): MetadataFormat | undefined {
  return metadataFormats.find((format) => format.prefix === prefix);
}

/** The size above which metadata are not given, because a response has at most 6 MB. */
const maxMetadataBytes = 4_000_000;

/**
 * Writes the metadata of an item. A MARC record is converted; without one, the metadata of the document are given if
 * they have the format already.
 * @returns the element; undefined when the item is not available in the format
 */
export function writeMetadata(
  { convert, namespace }: MetadataFormat,
  content: ItemContent,
): string | undefined {
  const xml = convert === undefined ? rawXml(content) : converted(convert, namespace, content);
  return xml === undefined || Buffer.byteLength(xml) > maxMetadataBytes ? undefined : xml;
}

function rawXml({ raw }: ItemContent): string | undefined {
  return raw === undefined ? undefined : readRawElement(raw)?.xml;
}

function converted(
  convert: (record: MarcRecord) => string,
  namespace: string,
  { marc, raw }: ItemContent,
): string | undefined {
  const record = marc ?? (raw === undefined ? undefined : readMarcXmlRecord(raw));
  if (record !== undefined) return findStructureProblem(record) === undefined ? convert(record) : undefined;
  const element = raw === undefined ? undefined : readRawElement(raw);
  return element?.namespace === namespace ? element.xml : undefined;
}
