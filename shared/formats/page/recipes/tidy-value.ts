import { formatPageRange } from "../../page-range.ts";
import type { RecipeField } from "./recipe.ts";

/** Fields that pages show between the signs of a citation. */
const inCitations: ReadonlySet<RecipeField> = new Set([
  "creators",
  "year",
  "journal",
  "volume",
  "issue",
  "pages",
]);

/** Fields that are numbers, which may follow a word. */
const numbers: ReadonlySet<RecipeField> = new Set(["volume", "issue", "pages"]);
const wordBefore =
  /^(?:volume|vol|issue|number|no|pages?|pp?|article|band|bd|heft|seiten?|s)(?:\.:?|:|\s)\s*(?=\S)/i;

const sign = /[,;:\s]/;

/** Takes linear time: a pattern that is bound to the end would be tried at each sign of a long row. */
function withoutSignsAround(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && sign.test(text.charAt(start))) start += 1;
  while (end > start && sign.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Removes the signs around a value, and the word before a number: "; Pages 1 – 20," becomes "1-20". */
export function tidyValue(field: RecipeField, text: string): string {
  if (!inCitations.has(field)) return text;
  const bare = withoutSignsAround(text);
  if (!numbers.has(field)) return bare;
  const number = bare.replace(wordBefore, "").replace(/(?<=\d)\s?[-–]\s?(?=\p{L}?\d)/u, "-");
  return field === "pages" ? (formatPageRange(number, undefined) ?? "") : number;
}
