import { InputError } from "../../../shared/core/errors.ts";
import { describeJsonError } from "../../errors/describe-json-error.ts";
import { readTextFile } from "./read-text-file.ts";

/**
 * Reads and parses the JSON file that an argument names.
 * @throws InputError, with the argument as its field, when it cannot be read or is not JSON
 */
export async function readJsonFile(argument: string, name: string): Promise<unknown> {
  const text = await readTextFile(argument, name);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(argument, name, describeJsonError(error, text));
  }
}
