import type { RuleSubject } from "./rule.ts";
import type { RuleSet } from "./rule-set.ts";
import { tagsWithoutUserRule } from "./user/unknown-fields.ts";

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
