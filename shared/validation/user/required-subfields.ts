import type { Subfield } from "../../marc/record.ts";
import type { Violation } from "../finding.ts";
import type { FieldRules } from "../rule-set.ts";

/** Each occurrence of a field has every subfield whose rule says ALWAYS. */
export function checkRequiredSubfields(tag: string, subfields: Subfield[], rules: FieldRules): Violation[] {
  return rules.required
    .filter((required) => !subfields.some(([code]) => code === required))
    .map((subfield) => ({
      tag,
      subfield,
      level: rules.level,
      reason: `${tag}: required subfield ${subfield} is missing`,
    }));
}
