import { fieldsOf, subfieldValuesIn } from "../../../marc/fields.ts";
import type { DataField, MarcRecord } from "../../../marc/record.ts";
import type { Violation } from "../finding.ts";

/** The genre term for reviews, exactly as the union catalogue requires it. */
const reviewGenre: DataField = [
  "655",
  " 7",
  [
    ["a", "Rezension"],
    ["0", "(DE-588)4049712-4"],
    ["0", "(DE-627)106186019"],
    ["2", "gnd-content"],
  ],
];
const expected = JSON.stringify(reviewGenre);

/** Checks that a field 655 that names the genre of reviews is exactly this field. */
export function checkReviewGenre(record: MarcRecord, found: Violation[]): void {
  for (const field of fieldsOf(record, "655")) {
    if (subfieldValuesIn(field, "a")[0]?.toLowerCase() !== "rezension" || JSON.stringify(field) === expected)
      continue;
    found.push({
      ruleId: "review-genre",
      tag: "655",
      level: "standard",
      reason: "655 field has unexpected contents",
    });
  }
}
