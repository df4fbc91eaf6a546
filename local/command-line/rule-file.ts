import { inputErrorOf } from "../../shared/core/problems.ts";
import { type RuleFile, ruleFile } from "../../shared/validation/rule-file.ts";
import { readJsonFile } from "./read-json-file.ts";

/**
 * The validation rules of a file, as `--rules` names it.
 * @throws InputError that names the option, or the rule's field, and its value
 */
export async function readRuleFile(name: string): Promise<RuleFile> {
  const json = await readJsonFile("--rules", name);
  const rules = ruleFile.safeParse(json);
  if (!rules.success) throw inputErrorOf(rules.error, json);
  return rules.data;
}
