import type { DataField, MarcRecord } from "../../marc/record.ts";
import { escapeXml } from "../../xml/escape-xml.ts";
import { fieldsMatching, joinSubfields, languagesOf, materialOf } from "./marc-values.ts";

/** An element of Dublin Core for each of these fields. */
interface ElementRule {
  element: string;
  /** A pattern of tags. */
  tags: string;
  codes: string;
  /** Whether each subfield is an element of its own. */
  isEach?: true;
  separator?: string;
  /** What precedes the value, such as a scheme; undefined when the field is not used. */
  prefix?: (field: DataField) => string | undefined;
}

/** The schemes of field 024 that are written as URNs or URIs. */
const schemes: Readonly<Record<string, string>> = { doi: "https://doi.org/", hdl: "https://hdl.handle.net/" };

/**
 * The fields of MARC-21 by element, in the order of the elements, as the Library of Congress maps them. Fields that its
 * style sheet does not know follow its crosswalk: 264 is read like 260, and the identifiers of 024.
 * @see https://www.loc.gov/marc/marc2dc.html
 * @see https://www.loc.gov/standards/marcxml/xslt/MARC21slim2OAIDC.xsl
 */
const rules: readonly ElementRule[] = [
  { element: "title", tags: "245", codes: "abfgknps" },
  { element: "title", tags: "246", codes: "abnp" },
  { element: "creator", tags: "100|110|111|700|710|711|720", codes: "abcdnq" },
  { element: "type", tags: "655", codes: "a", isEach: true },
  { element: "publisher", tags: "260|264", codes: "ab" },
  { element: "date", tags: "260|264", codes: "c", isEach: true },
  { element: "format", tags: "856", codes: "q", isEach: true },
  { element: "description", tags: "520|521", codes: "ab" },
  { element: "description", tags: "5(?!06|20|21|30|40|41|42|46)..", codes: "a" },
  { element: "subject", tags: "600|610|611|630|650", codes: "abcdqtvxyz", separator: "--" },
  { element: "subject", tags: "653", codes: "a", isEach: true },
  { element: "coverage", tags: "651|662|751|752", codes: "abcdxyz", separator: "--" },
  { element: "relation", tags: "530", codes: "abcdu" },
  { element: "relation", tags: "76[0257]|77[0-7]|78[0-7]", codes: "abdgot" },
  { element: "identifier", tags: "856", codes: "u", isEach: true },
  { element: "identifier", tags: "020", codes: "a", isEach: true, prefix: () => "urn:ISBN:" },
  { element: "identifier", tags: "022", codes: "a", isEach: true, prefix: () => "urn:ISSN:" },
  {
    element: "identifier",
    tags: "024",
    codes: "a",
    isEach: true,
    prefix: ([, , subfields]) => schemes[subfields.find(([code]) => code === "2")?.[1] ?? ""],
  },
  { element: "rights", tags: "506|540", codes: "au" },
];

/** Converts a record to unqualified Dublin Core. @returns the element `oai_dc:dc` */
export function marcToDc(record: MarcRecord): string {
  const language = languagesOf(record).map((code): [string, string] => ["language", code]);
  const material = materialOf(record);
  const type: [string, string][] = material === undefined ? [] : [["type", material]];
  const elements = [...rules.flatMap((rule) => apply(rule, record)), ...type, ...language];
  return `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd">${elements
    .map(([name, value]) => `<dc:${name}>${escapeXml(value)}</dc:${name}>`)
    .join("")}</oai_dc:dc>`;
}

function apply(
  { element, tags, codes, isEach, separator, prefix = () => "" }: ElementRule,
  record: MarcRecord,
): [string, string][] {
  return fieldsMatching(record, tags).flatMap((field) => {
    const before = prefix(field);
    if (before === undefined) return [];
    const values = isEach
      ? field[2].filter(([code]) => codes.includes(code)).map(([, value]) => value.trim())
      : [joinSubfields(field, codes, separator)];
    return values
      .filter((value) => value !== "")
      .map((value): [string, string] => [element, `${before}${value}`]);
  });
}
