import type { MarcRecord } from "../../marc/record.ts";
import { findStructureProblem } from "../../marc/record-structure.ts";
import type { Violation } from "../finding.ts";

/** The record can be written: one with an impossible tag or subfield code is kept back, so that it cannot stop a delivery. */
export function checkStructure(record: MarcRecord, found: Violation[]): void {
  const problem = findStructureProblem(record);
  if (problem !== undefined)
    found.push({ ruleId: "invalid-structure", tag: "LDR", level: "standard", reason: problem });
}
