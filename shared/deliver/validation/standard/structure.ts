import type { MarcRecord } from "../../../marc/record.ts";
import { findStructureProblem } from "../../../marc/record-structure.ts";
import type { Violation } from "../finding.ts";

/** The record must be writable: one with an invalid tag or subfield code would stop its delivery. */
export function checkStructure(record: MarcRecord, found: Violation[]): void {
  const problem = findStructureProblem(record);
  if (problem !== undefined)
    found.push({ ruleId: "invalid-structure", tag: "LDR", level: "standard", reason: problem });
}
