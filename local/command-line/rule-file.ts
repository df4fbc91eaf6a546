import { parsedInput } from "../../shared/core/problems.ts";
import { type RuleFile, ruleFile } from "../../shared/validation/rule-file.ts";
import { readJsonFile } from "./read-json-file.ts";

/**
 * The validation rules of a file, as `--rules` names it.
 * @throws InputError that names the option, or the rule's field, and its value
 */
export async function readRuleFile(name: string): Promise<RuleFile> {
  return parsedInput(ruleFile, await readJsonFile("--rules", name));
}
