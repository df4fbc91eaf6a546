import type { Subfield } from "../../marc/record.ts";
import type { Violation } from "../finding.ts";
import type { FieldRules } from "../rule-set.ts";

/** The pattern of a rule is found, at any place, in every occurrence of the subfield; not when the rule ignores it. */
export function checkContents(tag: string, subfields: Subfield[], rules: FieldRules): Violation[] {
  const violations: Violation[] = [];
  for (const [code, value] of subfields) {
    const rule = rules.subfields.get(code);
    if (rule?.pattern === undefined || rule.ignored || rule.pattern.matcher(value).find()) continue;
    const where = code === "" ? { tag } : { tag, subfield: code };
    const what = code === "" ? "contents" : `contents of subfield $${code}`;
    const reason = `${tag}: ${what}(${value}) did not match regex "${rule.pattern.pattern()}"`;
    violations.push({ ...where, level: rules.level, reason });
  }
  return violations;
}
