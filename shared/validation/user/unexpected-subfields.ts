import type { Subfield } from "../../marc/record.ts";
import type { Violation } from "../finding.ts";
import type { FieldRules } from "../rule-set.ts";

/** Each subfield has a rule on the level that decides for its field. */
export function checkUnexpectedSubfields(subfields: Subfield[], rules: FieldRules, found: Violation[]): void {
  const { tag, level } = rules;
  for (const [subfield] of subfields) {
    if (rules.subfields.has(subfield)) continue;
    found.push({ tag, subfield, level, reason: `${tag}: found unexpected subfield $${subfield}` });
  }
}
