import type { Subfield } from "../../marc/record.ts";
import type { Violation } from "../finding.ts";
import type { FieldRules } from "../rule-set.ts";

/** Each subfield has a rule on the level that decides for its field. */
export function checkUnexpectedSubfields(tag: string, subfields: Subfield[], rules: FieldRules): Violation[] {
  return subfields
    .filter(([code]) => !rules.subfields.has(code))
    .map(([code]) => ({
      tag,
      subfield: code,
      level: rules.level,
      reason: `${tag}: found unexpected subfield $${code}`,
    }));
}
