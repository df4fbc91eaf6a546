import { oneLine } from "../core/one-line.ts";
import type { RecordType } from "./rule.ts";

/**
 * Where the rule stands that a record breaks: among the standard rules, or on the level of the user's rules that decides for
 * the field: those of the record's source or of all sources, for one type of record.
 */
export type RuleLevel = "standard" | `${"source" | "all"} ${RecordType}`;

/** One rule that a record breaks. */
export interface Violation {
  tag: string;
  /** Absent when the field as a whole breaks the rule. */
  subfield?: string;
  /** Absent when no level has a rule for the field. */
  level?: RuleLevel;
  /** For people, beginning with the tag. */
  reason: string;
}

/** A violation and the record (its 001, empty when it has none) that it was found in. */
export interface Finding extends Violation {
  record: string;
}

/** A record may break hundreds of rules; the first of them tell what is wrong with it. */
const maxReasons = 20;

/** The reasons of a record's findings, a line each, for people and for items of bounded size; the last may count the rest. */
export function describeFindings(findings: readonly Finding[]): string[] {
  const reasons = findings.slice(0, maxReasons).map(({ reason }) => oneLine(reason));
  const rest = findings.length - reasons.length;
  return rest === 0 ? reasons : [...reasons, `and ${rest} more`];
}
