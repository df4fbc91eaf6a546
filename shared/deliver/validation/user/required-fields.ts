import type { Violation } from "../finding.ts";
import { isNamePresent } from "../name-fields.ts";
import type { EffectiveRules } from "../rule-set.ts";

/** Checks that each field with an `always` on its deciding level is present. A body may be the author instead of a person. */
export function checkRequiredFields(
  present: ReadonlySet<string>,
  rules: EffectiveRules,
  found: Violation[],
): void {
  for (const { tag, required, level } of rules.values()) {
    if (required.length === 0 || isNamePresent(tag, present)) continue;
    found.push({ ruleId: "required-field", tag, level, reason: `required ${tag}-field is missing` });
  }
}
