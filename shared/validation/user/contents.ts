import type { Subfield } from "../../marc/record.ts";
import type { Violation } from "../finding.ts";
import type { FieldRules } from "../rule-set.ts";

/** Of longer values the beginning is shown. */
const shownCharacters = 300;

/** The expression of a rule is found, at any place, in every occurrence of the subfield. */
export function checkContents(subfields: Subfield[], rules: FieldRules, found: Violation[]): void {
  const { tag, level } = rules;
  for (const [code, value] of subfields) {
    const pattern = rules.subfields.get(code)?.pattern;
    if (pattern === undefined || pattern.test(value)) continue;
    const where = code === "" ? { tag } : { tag, subfield: code };
    const what = code === "" ? "contents" : `contents of subfield $${code}`;
    const reason = `${tag}: ${what}(${shown(value)}) did not match regex "${pattern.pattern()}"`;
    found.push({ ...where, level, reason });
  }
}

function shown(value: string): string {
  return value.length <= shownCharacters ? value : `${value.slice(0, shownCharacters).toWellFormed()}…`;
}
