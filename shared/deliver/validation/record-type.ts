import { fieldsOf, subfieldValues } from "../../marc/fields.ts";
import type { MarcRecord } from "../../marc/record.ts";
import type { RecordType } from "./rule-fields.ts";

/**
 * Returns the type of a record, which determines the rules for its validation. The conversion adds a field NOT to
 * records that are not articles, and the genre term to reviews; the union catalogue marks reviews with `uwre` in 935
 * $c. NOT takes precedence.
 */
export function recordTypeOf(record: MarcRecord): RecordType {
  if (fieldsOf(record, "NOT").length > 0) return "non_article";
  const isReview =
    subfieldValues(record, "655", "a").some((term) => term.toLowerCase() === "rezension") ||
    subfieldValues(record, "935", "c").includes("uwre");
  return isReview ? "review" : "regular";
}
