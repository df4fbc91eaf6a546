import { parseInput } from "../../../shared/core/schema-problems.ts";
import { type RuleFile, ruleFile } from "../../../shared/deliver/validation/rule-file.ts";
import { readJsonFile } from "./read-json-file.ts";

/**
 * Reads the validation rules of the `--rules` file.
 * @throws InputError that names the option, or the rule's field, and its value
 */
export async function readValidationRuleFile(name: string): Promise<RuleFile> {
  return parseInput(ruleFile, await readJsonFile("--rules", name));
}
