import { bibliographicFields } from "../../../marc/bibliographic-fields.ts";
import type { MarcRecord, Subfield } from "../../../marc/record.ts";
import type { Violation } from "../finding.ts";

/**
 * Checks that fields and subfields that are not repeatable in MARC-21 occur only once.
 * @see https://www.loc.gov/marc/bibliographic/ecbdlist.html
 */
export function checkRepeatability({ control, fields }: MarcRecord, found: Violation[]): void {
  checkFields(control, found);
  checkFields(fields, found);
  for (const field of fields) checkSubfields(field[0], field[2], found);
}

function checkFields(fields: [tag: string, ...unknown[]][], found: Violation[]): void {
  for (let index = 1; index < fields.length; index++) {
    const tag = fields[index]?.[0] ?? "";
    if (bibliographicFields.get(tag)?.repeatable !== false || !appearedBefore(fields, index)) continue;
    found.push({
      ruleId: "repeated-field",
      tag,
      level: "standard",
      reason: `${tag} is not a repeatable field`,
    });
  }
}

function checkSubfields(tag: string, subfields: Subfield[], found: Violation[]): void {
  const once = subfields.length > 1 ? bibliographicFields.get(tag)?.nonRepeatableCodes : undefined;
  if (once === undefined) return;
  for (let index = 1; index < subfields.length; index++) {
    const subfield = subfields[index]?.[0] ?? "";
    if (!once.includes(subfield) || !appearedBefore(subfields, index)) continue;
    const reason = `${tag}: $${subfield} is not a repeatable subfield`;
    found.push({ ruleId: "repeated-subfield", tag, subfield, level: "standard", reason });
  }
}

/** Returns whether an earlier part has the same tag or code. */
function appearedBefore(parts: [name: string, ...unknown[]][], index: number): boolean {
  const name = parts[index]?.[0];
  for (let earlier = 0; earlier < index; earlier++) if (parts[earlier]?.[0] === name) return true;
  return false;
}
