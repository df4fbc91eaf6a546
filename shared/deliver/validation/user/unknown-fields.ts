import type { Violation } from "../finding.ts";
import type { RuleSubject } from "../rule.ts";
import type { EffectiveRules, RuleSet } from "../rule-set.ts";
import { requiredControlFields } from "../standard/required-fields.ts";

/** The standard rules check these fields, so they need no user rule. */
export const tagsWithoutUserRule = new Set([...requiredControlFields, "245", "655"]);

/** Each field of a record must have a rule: unexpected fields are not delivered unseen. */
export function checkUnknownFields(
  present: ReadonlySet<string>,
  rules: EffectiveRules,
  found: Violation[],
): void {
  const unknown: string[] = [];
  for (const tag of present) if (!rules.has(tag) && !tagsWithoutUserRule.has(tag)) unknown.push(tag);
  for (const tag of unknown.sort())
    found.push({ ruleId: "unknown-field", tag, reason: `no rule for present field ${tag} was found` });
}

/** Finds the tags without a rule: records that have such a field are refused. None while no rule is for such records. */
export function uncoveredTags(
  tags: readonly string[],
  { source, recordType }: Pick<RuleSubject, "source" | "recordType">,
  rules: RuleSet,
): string[] {
  const deciding = rules.effectiveRules(source ?? undefined, recordType);
  if (deciding.size === 0) return [];
  return tags.filter((tag) => !deciding.has(tag) && !tagsWithoutUserRule.has(tag));
}
