import { parse, TomlError } from "smol-toml";
import { InputError } from "./errors.ts";

/**
 * Parses a TOML document.
 * @param from.field and the name of the file are named by an error
 * @throws {InputError} that names the line and column
 */
export function parseToml(
  text: string,
  { field, file }: { field: string; file?: string | undefined },
): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [problem = ""] = error.message.split("\n");
    throw new InputError(field, file, `line ${error.line}, column ${error.column}: ${problem}`);
  }
}
