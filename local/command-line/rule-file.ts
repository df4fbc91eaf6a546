import { InputError } from "../../shared/core/errors.ts";
import { type LinkRule, readRule } from "../../shared/links/rule.ts";
import { readTextFile } from "./read-text-file.ts";

/**
 * The collection rule of a JSON file.
 * @throws InputError that names what is wrong; also for an inactive rule, by which nothing is to be checked
 */
export async function readRuleFile(name: string): Promise<LinkRule> {
  const rule = readRule(parse(await readTextFile("--rules", name), name));
  if (!rule.active) throw new InputError("active", false, "an inactive rule checks nothing");
  return rule;
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError("--rules", name, error instanceof Error ? error.message : String(error));
  }
}
