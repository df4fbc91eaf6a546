import { InputError } from "../../../../shared/core/errors.ts";
import { type LinkRule, readRule } from "../../../../shared/links/rule/rule.ts";
import { readJsonFile } from "../read-json-file.ts";

/**
 * Reads the collection rule of a JSON file.
 * @throws InputError when the rule is invalid or inactive
 */
export async function readLinkRuleFile(name: string): Promise<LinkRule> {
  const rule = readRule(await readJsonFile("--rules", name));
  if (!rule.active) throw new InputError("active", false, "an inactive rule checks nothing");
  return rule;
}
