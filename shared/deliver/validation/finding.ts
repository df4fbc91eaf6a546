import { oneLine } from "../../core/one-line.ts";
import type { RuleId } from "../../records/rule-ids.ts";
import type { RecordType } from "./rule-fields.ts";

/**
 * The origin of a rule: `standard`, or the level of user rules that decides for the field. A level consists of the
 * rules of the record's source, or of all sources, for one type of record.
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
  /** A text for people. */
  reason: string;
}

/** A violation with the field 001 of its record, which is empty when the record has no 001. */
export interface Finding extends Violation {
  record: string;
}

/**
 * The maximum number of reasons. A record may break hundreds of rules, but the first violations are enough to recognise
 * the problem.
 */
const maxReasons = 20;

/**
 * Describes the findings of a record, for people and for items of limited size. Each finding has a line, such as
 * `subfield 245$a is missing [missing-title]`. The last line may contain the number of the remaining findings.
 */
export function describeFindings(findings: readonly Finding[]): string[] {
  const reasons = findings.slice(0, maxReasons).map(({ reason, ruleId }) => `${oneLine(reason)} [${ruleId}]`);
  const rest = findings.length - reasons.length;
  return rest === 0 ? reasons : [...reasons, `and ${rest} more`];
}
