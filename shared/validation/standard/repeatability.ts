import type { MarcRecord } from "../../marc/record.ts";
import { bibliographicFields } from "../../marc/schema.ts";
import type { Violation } from "../finding.ts";

/**
 * What MARC-21 allows once stands once: fields within the record, subfields within the field.
 * @see https://www.loc.gov/marc/bibliographic/ecbdlist.html
 */
export function checkRepeatability({ control, fields }: MarcRecord): Violation[] {
  const tags = [...repeatedIn(control), ...repeatedIn(fields)].filter(
    (tag) => bibliographicFields.get(tag)?.repeatable === false,
  );
  const violations = tags.map(
    (tag): Violation => ({ tag, level: "standard", reason: `${tag} is not a repeatable field` }),
  );
  for (const [tag, , subfields] of fields) {
    for (const subfield of repeatedIn(subfields)) {
      if (!bibliographicFields.get(tag)?.once.includes(subfield)) continue;
      const reason = `${tag}: $${subfield} is not a repeatable subfield`;
      violations.push({ tag, subfield, level: "standard", reason });
    }
  }
  return violations;
}

/** The tags or codes that stood before, once for each time that they come again. */
function repeatedIn(parts: [name: string, ...unknown[]][]): string[] {
  if (parts.length < 2) return [];
  const names = parts.map((part) => part[0]);
  return names.filter((name, index) => names.indexOf(name) < index);
}
