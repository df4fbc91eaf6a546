import type { MarcRecord } from "../../marc/record.ts";
import { bibliographicFields } from "../../marc/schema.ts";
import type { Violation } from "../finding.ts";

/**
 * What MARC-21 allows once stands once: fields within the record, subfields within the field.
 * @see https://www.loc.gov/marc/bibliographic/ecbdlist.html
 */
export function checkRepeatability({ control, fields }: MarcRecord): Violation[] {
  const violations: Violation[] = [];
  const repeated = repeatedIn(
    [...control, ...fields],
    (tag) => bibliographicFields.get(tag)?.repeatable === false,
  );
  for (const tag of repeated) {
    violations.push({ tag, level: "standard", reason: `${tag} is not a repeatable field` });
  }
  for (const [tag, , subfields] of fields) {
    if (subfields.length === 1) continue;
    const once = bibliographicFields.get(tag)?.once ?? "";
    for (const subfield of repeatedIn(subfields, (code) => once.includes(code))) {
      violations.push({
        tag,
        subfield,
        level: "standard",
        reason: `${tag}: $${subfield} is not a repeatable subfield`,
      });
    }
  }
  return violations;
}

/** The names, tags or codes, that stand more than once although they may not. */
function repeatedIn(
  parts: [name: string, ...unknown[]][],
  standsOnce: (name: string) => boolean,
): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name] of parts) {
    if (seen.has(name) && standsOnce(name)) repeated.add(name);
    seen.add(name);
  }
  return repeated;
}
