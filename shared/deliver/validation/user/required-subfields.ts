import type { Subfield } from "../../../marc/record.ts";
import type { Violation } from "../finding.ts";
import type { FieldRules } from "../rule-set.ts";

/** Checks that each occurrence of a field has every subfield whose rule says `always`. */
export function checkRequiredSubfields(subfields: Subfield[], rules: FieldRules, found: Violation[]): void {
  const { tag, level } = rules;
  for (const subfield of rules.required) {
    if (subfields.some(([code]) => code === subfield)) continue;
    found.push({
      ruleId: "required-subfield",
      tag,
      subfield,
      level,
      reason: `${tag}: required subfield ${subfield} is missing`,
    });
  }
}
