import { fieldsOf, subfieldValues } from "../../marc/fields.ts";
import type { MarcRecord } from "../../marc/record.ts";
import type { RecordType } from "./rule-fields.ts";

/**
 * Decides which rules a record is validated by. The conversion marks records that are not articles with a field NOT, and
 * reviews with the genre term; the union catalogue marks reviews with `uwre` in 935 $c. NOT wins.
 */
export function recordTypeOf(record: MarcRecord): RecordType {
  if (fieldsOf(record, "NOT").length > 0) return "non_article";
  const isReview =
    subfieldValues(record, "655", "a").some((term) => term.toLowerCase() === "rezension") ||
    subfieldValues(record, "935", "c").includes("uwre");
  return isReview ? "review" : "regular";
}
