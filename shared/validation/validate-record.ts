import { controlValue } from "../marc/fields.ts";
import type { MarcRecord, Subfield } from "../marc/record.ts";
import type { Finding, Violation } from "./finding.ts";
import { isOnlineFirst } from "./online-first.ts";
import { recordTypeOf } from "./record-type.ts";
import type { DecidingRules, RuleSet } from "./rule-set.ts";
import { standardRules } from "./standard/standard-rules.ts";
import { checkContents } from "./user/contents.ts";
import { checkRequiredFields } from "./user/required-fields.ts";
import { checkRequiredSubfields } from "./user/required-subfields.ts";
import { checkUnexpectedSubfields } from "./user/unexpected-subfields.ts";
import { checkUnknownFields } from "./user/unknown-fields.ts";

/**
 * - `valid`: may be delivered
 * - `online_first`: waits for volume and issue, and is not looked at any further
 * - `delinquent`: breaks a rule
 */
export interface Validation {
  outcome: "valid" | "online_first" | "delinquent";
  findings: Finding[];
}

/**
 * Decides what becomes of a record. Without user rules that concern it, the standard rules alone count: an operator who has
 * written none for a source expects nothing of its fields, and is told of nothing unexpected.
 * @see docs/decisions.md
 */
export function validateRecord(
  record: MarcRecord,
  options: { sourceId?: string; rules?: RuleSet } = {},
): Validation {
  if (isOnlineFirst(record)) return { outcome: "online_first", findings: [] };
  const violations = standardRules.flatMap((check) => check(record));
  const rules = options.rules?.decidingFor(options.sourceId, recordTypeOf(record));
  if (rules !== undefined && rules.size > 0) violations.push(...userViolations(record, rules));
  if (violations.length === 0) return { outcome: "valid", findings: [] };
  const number = controlValue(record, "001") ?? "";
  return {
    outcome: "delinquent",
    findings: violations.map((violation) => ({ record: number, ...violation })),
  };
}

const fieldChecks = [checkUnexpectedSubfields, checkContents, checkRequiredSubfields];

function userViolations(record: MarcRecord, rules: DecidingRules): Violation[] {
  const violations: Violation[] = [];
  const present = new Set<string>();
  const checkField = (tag: string, subfields: Subfield[]): void => {
    present.add(tag);
    const fieldRules = rules.get(tag);
    if (fieldRules === undefined) return;
    for (const check of fieldChecks) violations.push(...check(tag, subfields, fieldRules));
  };
  for (const field of record.control) checkField(field[0], [["", field[1]]]);
  for (const field of record.fields) checkField(field[0], field[2]);
  violations.push(...checkRequiredFields(present, rules), ...checkUnknownFields(present, rules));
  return violations;
}
