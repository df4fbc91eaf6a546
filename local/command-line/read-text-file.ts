import { readFile } from "node:fs/promises";
import { InputError } from "../../shared/core/errors.ts";

/**
 * The text of a file that an argument names.
 * @throws InputError, with the argument as its field, when the file cannot be read
 */
export async function readTextFile(argument: string, name: string): Promise<string> {
  try {
    return await readFile(name, "utf8");
  } catch (error) {
    throw new InputError(argument, name, error instanceof Error ? error.message : String(error));
  }
}
