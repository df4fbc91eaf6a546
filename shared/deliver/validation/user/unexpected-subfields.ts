import type { Subfield } from "../../../marc/record.ts";
import type { Violation } from "../finding.ts";
import type { FieldRules } from "../rule-set.ts";

/** Checks that each subfield has a rule on the level that decides for its field. */
export function checkUnexpectedSubfields(subfields: Subfield[], rules: FieldRules, found: Violation[]): void {
  const { tag, level } = rules;
  // As in contents.ts, subfields are destructured only when the rule is broken.
  for (const part of subfields) {
    if (rules.subfields.has(part[0])) continue;
    const [subfield] = part;
    found.push({
      ruleId: "unexpected-subfield",
      tag,
      subfield,
      level,
      reason: `${tag}: found unexpected subfield $${subfield}`,
    });
  }
}
