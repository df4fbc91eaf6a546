import { readFile } from "node:fs/promises";
import { InputError } from "../../../shared/core/errors.ts";
import { readUtf8 } from "../../../shared/core/utf8-lines.ts";
import { describeFileError } from "../../errors/describe-file-error.ts";

/**
 * Reads the text file that an argument names.
 * @throws InputError, with the argument as its field, when the file cannot be read or is not UTF-8
 */
export async function readTextFile(argument: string, name: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(name);
  } catch (error) {
    throw new InputError(argument, name, describeFileError(error));
  }
  const reading = readUtf8(bytes);
  if (reading.type === "text") return reading.text;
  throw new InputError(argument, name, `line ${reading.line} is not UTF-8`);
}
