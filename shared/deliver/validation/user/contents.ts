import type { Subfield } from "../../../marc/record.ts";
import type { Violation } from "../finding.ts";
import type { FieldRules } from "../rule-set.ts";

/** The maximum length of a shown value; longer values are truncated. */
const maxShownChars = 300;

/** Checks that the expression of a rule matches, at any position, in every occurrence of the subfield. */
export function checkContents(subfields: Subfield[], rules: FieldRules, found: Violation[]): void {
  const { tag, level } = rules;
  // Subfields are destructured only when a rule is broken, because with many subfields destructuring takes most of the
  // time.
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
