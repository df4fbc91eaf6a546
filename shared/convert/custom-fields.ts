import { truncateBytes } from "../core/truncate-text.ts";
import { iso2709 } from "../marc/iso2709.ts";
import type { MarcRecord } from "../marc/record.ts";
import { subfieldMark } from "../sources/filters.ts";
import { parseFieldContent } from "./field-content.ts";
import type { Notes } from "./item-notes.ts";

/** What a field of ISO 2709 can hold beside its end. */
export const maxFieldBytes = iso2709.maxFieldBytes - 1;

/** Adds the fields that a configuration asks for, one for each note that its placeholder names. */
export function addCustomFields(record: MarcRecord, templates: readonly string[], notes: Notes): void {
  for (const template of templates)
    for (const field of fillTemplate(template, notes)) addField(record, field);
}

function fillTemplate(template: string, notes: Notes): string[] {
  const placeholder = /%([^%]+)%/.exec(template);
  if (!placeholder) return [template];
  const [written, key = ""] = placeholder;
  const maxBytes = maxFieldBytes - (Buffer.byteLength(template) - Buffer.byteLength(written));
  return (notes.get(key) ?? []).map((value) => {
    // A page must not begin subfields of its own.
    const text = truncateBytes(value.replaceAll(subfieldMark, " "), maxBytes);
    return template.replaceAll(written, () => text);
  });
}

function addField(record: MarcRecord, field: string): void {
  const tag = field.slice(0, 3);
  if (/^00\d$/.test(tag)) record.control.push([tag, field.slice(3)]);
  else record.fields.push(parseFieldContent(tag, field.slice(3)));
}
