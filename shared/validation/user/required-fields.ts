import type { Violation } from "../finding.ts";
import type { DecidingRules } from "../rule-set.ts";

/** A field with an ALWAYS on its deciding level is there. */
export function checkRequiredFields(present: ReadonlySet<string>, rules: DecidingRules): Violation[] {
  const violations: Violation[] = [];
  for (const [tag, { required, level }] of rules) {
    if (required.length === 0 || present.has(tag)) continue;
    violations.push({ tag, level, reason: `required ${tag}-field is missing` });
  }
  return violations;
}
