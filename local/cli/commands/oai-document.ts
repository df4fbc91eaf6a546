import type { OaiRecord } from "../../../shared/formats/oai/page.ts";
import type { MetadataWish } from "../../../shared/formats/oai/page-reader.ts";
import { fieldsOf, subfieldValuesIn } from "../../../shared/marc/fields.ts";
import { readMarcXmlRecord } from "../../../shared/marc/marcxml-record.ts";
import type { DownloadedFile } from "../harvest/download-file.ts";

/** A document, as `npx ingather harvest --json` writes it. */
export interface OaiDocument {
  type: "document";
  identifier: string;
  datestamp: string;
  deleted: boolean;
  sets: string[];
  title?: string;
  creators?: string[];
  date?: string;
  links?: string[];
  /** Set with `--files`. */
  files?: DownloadedFile[];
}

const dublinCore = "http://purl.org/dc/elements/1.1/";
const dublinCoreElements = new Set(["title", "creator", "date", "identifier", "relation"]);

/** Returns which metadata a description needs: a few Dublin Core elements, and the titles in any format. */
export function wishFor(metadataPrefix: string | undefined, { asXml }: { asXml: boolean }): MetadataWish {
  return {
    asXml: asXml || isMarc(metadataPrefix),
    values: ({ namespace, local }) =>
      local === "title" || (namespace === dublinCore && dublinCoreElements.has(local)),
  };
}

function isMarc(metadataPrefix: string | undefined): boolean {
  return /marc/i.test(metadataPrefix ?? "");
}

export function describeDocument({
  identifier,
  datestamp,
  sets,
  isDeleted,
  values,
  metadata,
}: OaiRecord): OaiDocument {
  const document: OaiDocument = { type: "document", identifier, datestamp, deleted: isDeleted, sets };
  if (isDeleted) return document;
  for (const { namespace, local, text } of values) {
    const value = oneSpaced(text);
    if (value === "") continue;
    if (local === "title") document.title ??= value;
    if (namespace !== dublinCore) continue;
    if (local === "creator") {
      document.creators ??= [];
      document.creators.push(value);
    } else if (local === "date") document.date ??= value;
    else if (/^https?:\/\//.test(value)) {
      document.links ??= [];
      document.links.push(value);
    }
  }
  const marcTitle = document.title === undefined ? titleOfMarc(metadata) : undefined;
  return marcTitle === undefined ? document : { ...document, title: marcTitle };
}

function oneSpaced(text: string): string {
  const trimmed = text.trim();
  return severalSpaces.test(trimmed) ? trimmed.replaceAll(/\s+/g, " ") : trimmed;
}

/** Matches white space that is not a single space. */
const severalSpaces = /\s\s|[^\S ]/;

/** Returns the title proper and its remainder (245 $a, $b) of a MARCXML record. */
function titleOfMarc(metadata: string | undefined): string | undefined {
  const record = metadata === undefined ? undefined : readMarcXmlRecord(metadata);
  if (record === undefined) return undefined;
  const [field] = fieldsOf(record, "245");
  if (field === undefined) return undefined;
  const parts = ["a", "b"].flatMap((code) => subfieldValuesIn(field, code));
  return parts.join(" ").replace(/\s*[/:;]\s*$/, "") || undefined;
}

/** Returns the texts of the Dublin Core elements, by element name. */
export function dublinCoreOf(values: OaiRecord["values"]): Record<string, string[]> {
  const texts: Record<string, string[]> = {};
  for (const { namespace, local, text } of values) {
    if (namespace === dublinCore) texts[local] = [...(texts[local] ?? []), text];
  }
  return texts;
}
