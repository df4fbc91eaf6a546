import { subfieldValues } from "../../../marc/fields.ts";
import type { MarcRecord } from "../../../marc/record.ts";
import type { Violation } from "../finding.ts";

/** Checks that a record has a title, in 245 $a. */
export function checkTitle(record: MarcRecord, found: Violation[]): void {
  if (subfieldValues(record, "245", "a").some((title) => title.trim() !== "")) return;
  found.push({
    ruleId: "missing-title",
    tag: "245",
    subfield: "a",
    level: "standard",
    reason: "subfield 245$a is missing",
  });
}
