import type { Violation } from "../finding.ts";
import { personFieldOf } from "../name-fields.ts";
import type { RuleSubject } from "../rule.ts";
import type { EffectiveRules, RuleSet } from "../rule-set.ts";
import { requiredControlFields } from "../standard/required-fields.ts";

/** The tags that need no user rule, because the standard rules check these fields. */
export const tagsWithoutUserRule = new Set([...requiredControlFields, "245", "655"]);

/** Checks that each field of a record has a rule, so that unexpected fields are not delivered unnoticed. */
export function checkUnknownFields(
  present: ReadonlySet<string>,
  rules: EffectiveRules,
  found: Violation[],
): void {
  const unknown: string[] = [];
  for (const tag of present) if (!hasRule(tag, rules)) unknown.push(tag);
  for (const tag of unknown.sort())
    found.push({ ruleId: "unknown-field", tag, reason: `no rule for present field ${tag} was found` });
}

/**
 * Returns the tags without a rule. Records with such a field are refused. The result is empty while there is no rule
 * for such records.
 */
export function uncoveredTags(
  tags: readonly string[],
  { source, recordType }: Pick<RuleSubject, "source" | "recordType">,
  rules: RuleSet,
): string[] {
  const deciding = rules.effectiveRules(source ?? undefined, recordType);
  if (deciding.size === 0) return [];
  return tags.filter((tag) => !hasRule(tag, deciding));
}

function hasRule(tag: string, rules: EffectiveRules): boolean {
  return rules.has(tag) || rules.has(personFieldOf(tag)) || tagsWithoutUserRule.has(tag);
}
