import { convertDocument } from "../../../../../shared/harvest/convert/crosswalks/convert-document.ts";
import type { DataField, MarcRecord } from "../../../../../shared/marc/record.ts";
import { contextOf, today } from "../fixtures.ts";

export const documentUrl = "https://repository.example/oai?verb=GetRecord&identifier=oai:1";

export function convert(raw: string, change: Parameters<typeof contextOf>[0] = {}) {
  return convertDocument(raw, { ...contextOf(change), harvestedUrl: documentUrl }, today);
}

/** @throws when the document becomes no record */
export function recordOf(raw: string, change: Parameters<typeof contextOf>[0] = {}): MarcRecord {
  const conversion = convert(raw, change);
  if (conversion.type !== "converted") throw new Error(`${conversion.reason}: ${conversion.detail}`);
  return conversion.record;
}

export function qualifiedDc(elements: string): string {
  return `<oai_qdc:qualifieddc xmlns:oai_qdc="http://worldcat.org/xmlschemas/qdc-1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>T</dc:title>${elements}</oai_qdc:qualifieddc>`;
}

export function mods(elements: string): string {
  return `<m:mods xmlns:m="http://www.loc.gov/mods/v3" xmlns:xlink="http://www.w3.org/1999/xlink"><m:titleInfo><m:title>T</m:title></m:titleInfo>${elements.replaceAll(/<(\/?)(?=[a-zA-Z])/g, "<$1m:")}</m:mods>`;
}

/** `100 1_ $aMiller, Ada$4aut`, with `_` for a blank indicator. */
function written([tag, indicators, subfields]: DataField): string {
  const parts = subfields.map(([code, value]) => `$${code}${value}`);
  return `${tag} ${indicators.replaceAll(" ", "_")} ${parts.join("")}`;
}

/** The fields with these tags, as they are written. */
export function fieldsWith({ fields }: MarcRecord, ...tags: string[]): string[] {
  return fields.filter(([tag]) => tags.includes(tag)).map(written);
}

export function controlValue({ control }: MarcRecord, tag: string): string | undefined {
  return control.find(([each]) => each === tag)?.[1];
}
