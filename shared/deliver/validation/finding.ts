import { oneLine } from "../../core/one-line.ts";
import type { RuleId } from "../../records/rule-ids.ts";
import type { RecordType } from "./rule-fields.ts";

/**
 * Where a rule comes from: the standard rules, or the level of user rules that decides for the field: the rules of the
 * record's source or of all sources, for one type of record.
 */
export type RuleLevel = "standard" | `${"source" | "all"} ${RecordType}`;

/** One rule that a record breaks. */
export interface Violation {
  ruleId: RuleId;
  tag: string;
  /** Absent when the field as a whole breaks the rule. */
  subfield?: string;
  /** Absent when no level has a rule for the field. */
  level?: RuleLevel;
  /** For people. */
  reason: string;
}

/** A violation and the 001 of its record; empty when the record has none. */
export interface Finding extends Violation {
  record: string;
}

/** A record may break hundreds of rules; the first ones are enough to see what is wrong. */
const maxReasons = 20;

/**
 * The findings of a record, for people and for items of bounded size: a line each, as `subfield 245$a is missing
 * [missing-title]`; the last line may count the rest.
 */
export function describeFindings(findings: readonly Finding[]): string[] {
  const reasons = findings.slice(0, maxReasons).map(({ reason, ruleId }) => `${oneLine(reason)} [${ruleId}]`);
  const rest = findings.length - reasons.length;
  return rest === 0 ? reasons : [...reasons, `and ${rest} more`];
}
