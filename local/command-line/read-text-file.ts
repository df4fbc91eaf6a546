import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { InputError } from "../../shared/core/errors.ts";
import { describeFileError } from "./describe-file-error.ts";

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
  return decodeUtf8(bytes, { argument, name });
}

/** @throws InputError that names the first line that is not UTF-8 */
function decodeUtf8(bytes: Buffer, { argument, name }: { argument: string; name: string }): string {
  if (isUtf8(bytes)) return bytes.toString("utf8").replace(/^\ufeff/, "");
  throw new InputError(argument, name, `line ${firstBadLine(bytes)} is not UTF-8`);
}

function firstBadLine(bytes: Buffer): number {
  let number = 1;
  for (let start = 0; start < bytes.length; number++) {
    const end = bytes.indexOf("\n", start);
    const next = end === -1 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(start, next))) break;
    start = next;
  }
  return number;
}
