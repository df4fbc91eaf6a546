import { controlFieldValue } from "../../../marc/fields.ts";
import type { MarcRecord } from "../../../marc/record.ts";
import type { Violation } from "../finding.ts";

/** The fields for number, institution and kind of material, without which receivers cannot import a record. */
export const requiredControlFields = ["001", "003", "007"];

export function checkRequiredFields(record: MarcRecord, found: Violation[]): void {
  for (const tag of requiredControlFields) {
    const value = controlFieldValue(record, tag);
    if (value !== undefined && value.trim() !== "") continue;
    const problem = value === undefined ? "missing" : "empty";
    found.push({
      ruleId: "missing-control-field",
      tag,
      level: "standard",
      reason: `required field ${tag} is ${problem}`,
    });
  }
}
