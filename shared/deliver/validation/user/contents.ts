import type { Subfield } from "../../../marc/record.ts";
import type { Violation } from "../finding.ts";
import type { FieldRules } from "../rule-set.ts";

/** Longer values are cut. */
const maxShownChars = 300;

/** The expression of a rule must match, at any place, in every occurrence of the subfield. */
export function checkContents(subfields: Subfield[], rules: FieldRules, found: Violation[]): void {
  const { tag, level } = rules;
  // Destructured only when a rule is broken: with many subfields, destructuring takes most of the time.
  for (const subfield of subfields) {
    const pattern = rules.subfields.get(subfield[0])?.pattern;
    if (pattern === undefined || pattern.test(subfield[1])) continue;
    const [code, value] = subfield;
    const where = code === "" ? { tag } : { tag, subfield: code };
    const what = code === "" ? "contents" : `contents of subfield $${code}`;
    const reason = `${tag}: ${what}(${truncateValue(value)}) did not match regex "${pattern.pattern()}"`;
    found.push({ ruleId: "contents-mismatch", ...where, level, reason });
  }
}

function truncateValue(value: string): string {
  return value.length <= maxShownChars ? value : `${value.slice(0, maxShownChars).toWellFormed()}…`;
}
