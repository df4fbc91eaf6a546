import { fieldsOf, subfieldValues } from "../marc/fields.ts";
import type { MarcRecord } from "../marc/record.ts";
import type { RecordType } from "./rule.ts";

/**
 * Which rules a record is held against: the conversion marks what is no article with a field NOT, and reviews with the genre
 * term; the union catalogue's own mark for reviews is `uwre` in 935 $c. What is no article is no review either.
 */
export function recordTypeOf(record: MarcRecord): RecordType {
  if (fieldsOf(record, "NOT").length > 0) return "non_article";
  const isReview =
    subfieldValues(record, "655", "a").some((term) => term.toLowerCase() === "rezension") ||
    subfieldValues(record, "935", "c").includes("uwre");
  return isReview ? "review" : "regular";
}
