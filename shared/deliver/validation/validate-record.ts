import { controlFieldValue } from "../../marc/fields.ts";
import type { MarcRecord, Subfield } from "../../marc/record.ts";
import type { Finding, Violation } from "./finding.ts";
import { isOnlineFirst } from "./online-first.ts";
import { recordTypeOf } from "./record-type.ts";
import type { EffectiveRules, RuleSet } from "./rule-set.ts";
import { standardRules } from "./standard/standard-rules.ts";
import { checkStructure } from "./standard/structure.ts";
import { checkContents } from "./user/contents.ts";
import { checkRequiredFields } from "./user/required-fields.ts";
import { checkRequiredSubfields } from "./user/required-subfields.ts";
import { checkUnexpectedSubfields } from "./user/unexpected-subfields.ts";
import { checkUnknownFields } from "./user/unknown-fields.ts";

/**
 * The outcome of a validation:
 * - `valid`: the record may be delivered
 * - `online_first`: the record waits for volume and issue; only its structure was checked
 * - `delinquent`: the record breaks a rule
 */
export interface ValidationResult {
  outcome: "valid" | "online_first" | "delinquent";
  findings: Finding[];
}

/**
 * Validates a record by the standard rules, then by the user's rules. While there is no user rule for such records,
 * only the standard rules apply, and no field is unknown.
 * @param options.source the source as rules name it; undefined when it is unknown
 * @see docs/decisions/0020-validation-rules.md
 */
export function validateRecord(
  record: MarcRecord,
  options: { source?: string | undefined; rules?: RuleSet } = {},
): ValidationResult {
  const found: Violation[] = [];
  if (isOnlineFirst(record)) {
    // The structure must be valid even for the file of online-first records.
    checkStructure(record, found);
    return found.length === 0 ? { outcome: "online_first", findings: [] } : refusedResult(record, found);
  }
  for (const check of standardRules) check(record, found);
  const rules = options.rules?.effectiveRules(options.source, recordTypeOf(record));
  if (rules !== undefined && rules.size > 0) checkUserRules(record, rules, found);
  return found.length === 0 ? { outcome: "valid", findings: [] } : refusedResult(record, found);
}

/** Returns the outcome of a record that breaks a rule. */
export function refusedResult(record: MarcRecord, violations: Violation[]): ValidationResult {
  const number = controlFieldValue(record, "001") ?? "";
  return {
    outcome: "delinquent",
    findings: violations.map((violation) => ({ record: number, ...violation })),
  };
}

function checkUserRules(record: MarcRecord, rules: EffectiveRules, found: Violation[]): void {
  const present = new Set<string>();
  const checkField = (tag: string, subfields: Subfield[]): void => {
    present.add(tag);
    const fieldRules = rules.get(tag);
    if (fieldRules === undefined) return;
    checkUnexpectedSubfields(subfields, fieldRules, found);
    checkContents(subfields, fieldRules, found);
    checkRequiredSubfields(subfields, fieldRules, found);
  };
  for (const [tag, value] of record.control) checkField(tag, [["", value]]);
  for (const field of record.fields) checkField(field[0], field[2]);
  checkRequiredFields(present, rules, found);
  checkUnknownFields(present, rules, found);
}
