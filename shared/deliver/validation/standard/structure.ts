import type { MarcRecord } from "../../../marc/record.ts";
import { findStructureProblem } from "../../../marc/record-structure.ts";
import type { Violation } from "../finding.ts";

/**
 * Checks that the record can be written, because an invalid tag or subfield code would stop the delivery of the record.
 */
export function checkStructure(record: MarcRecord, found: Violation[]): void {
  const problem = findStructureProblem(record);
  if (problem !== undefined)
    found.push({ ruleId: "invalid-structure", tag: "LDR", level: "standard", reason: problem });
}
