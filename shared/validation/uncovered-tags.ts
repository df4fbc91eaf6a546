import type { RuleSubject } from "./rule.ts";
import type { RuleSet } from "./rule-set.ts";
import { tagsWithoutUserRule } from "./user/unknown-fields.ts";

/**
 * Which of the tags have no rule where a rule about such records decides, in their order: a record with such a field is
 * refused. Without any rule nothing is refused for it.
 */
export function uncoveredTags(
  tags: readonly string[],
  { source, recordType }: Pick<RuleSubject, "source" | "recordType">,
  rules: RuleSet,
): string[] {
  const deciding = rules.effectiveRules(source ?? undefined, recordType);
  if (deciding.size === 0) return [];
  return tags.filter((tag) => !deciding.has(tag) && !tagsWithoutUserRule.has(tag));
}
