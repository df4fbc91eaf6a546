import type { OriginRule } from "../rule-ids.ts";

/** A finding about the origin of a record, which its fields alone do not show. */
export interface OriginFinding {
  ruleId: OriginRule;
  /** The field that is concerned. */
  tag: string;
  reason: string;
  /** Set when the record waits for an operator because of it. */
  isHeld?: true;
}
