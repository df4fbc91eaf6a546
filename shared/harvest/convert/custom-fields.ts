import { truncateBytes } from "../../core/truncate-text.ts";
import { iso2709 } from "../../marc/iso2709.ts";
import type { MarcRecord } from "../../marc/record.ts";
import { subfieldMark } from "../../records/sources/filters.ts";
import { parseFieldContent } from "./field-content.ts";
import type { Notes } from "./item-notes.ts";

/** The maximum length of a field's content in ISO 2709, in bytes, without the field terminator. */
export const maxFieldBytes = iso2709.maxFieldBytes - 1;

/** Adds the configured fields. A field with a placeholder (`%key%`) is added for each note with that key. */
export function addCustomFields(record: MarcRecord, templates: readonly string[], notes: Notes): void {
  for (const template of templates)
    for (const field of fillTemplate(template, notes)) addField(record, field);
}

function fillTemplate(template: string, notes: Notes): string[] {
  const placeholder = /%([^%]+)%/.exec(template);
  if (!placeholder) return [template];
  const [token, key = ""] = placeholder;
  const maxBytes = maxFieldBytes - (Buffer.byteLength(template) - Buffer.byteLength(token));
  return (notes.get(key) ?? []).map((value) => {
    // A note must not start a subfield.
    const text = truncateBytes(value.replaceAll(subfieldMark, " "), maxBytes);
    return template.replaceAll(token, () => text);
  });
}

function addField(record: MarcRecord, field: string): void {
  const tag = field.slice(0, 3);
  if (/^00\d$/.test(tag)) record.control.push([tag, field.slice(3)]);
  else record.fields.push(parseFieldContent(tag, field.slice(3)));
}
