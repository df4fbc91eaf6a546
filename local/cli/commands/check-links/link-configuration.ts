import { existsSync } from "node:fs";
import { InputError } from "../../../../shared/core/errors.ts";
import { suggestionFor } from "../../../arguments/nearest-name.ts";
import { readTextFile } from "../read-text-file.ts";
import { checkChoice, checkNumber } from "./check-option.ts";
import { checkLinksOptions, type OptionSpec } from "./option-table.ts";

/** The configuration file in the current folder, which is read if no other file is named. */
const configurationFileName = "ingather-links.toml";

/**
 * The permitted keys: the options without `--`. `config` is not a key, because a file cannot name another
 * file.
 */
const keys: Record<string, OptionSpec> = Object.fromEntries(
  Object.entries<OptionSpec>(checkLinksOptions).filter(([name]) => name !== "config"),
);

/**
 * Reads options from a TOML file.
 * @param name of the file; if absent, the default file is read if the current folder has one
 * @throws InputError that names the file and the line, or the key and its value
 */
export async function readLinkConfiguration(
  name: string | undefined,
): Promise<{ file: string | undefined; values: Record<string, unknown> }> {
  const file = name ?? (existsSync(configurationFileName) ? configurationFileName : undefined);
  if (file === undefined) return { file, values: {} };
  const { parseToml } = await import("../../../../shared/core/parse-toml.ts");
  const table = parseToml(await readTextFile("--config", file), { field: "--config", file });
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(table)) {
    const spec = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (spec === undefined) {
      throw new InputError(
        `${file}: ${key}`,
        undefined,
        `is not an option${suggestionFor(key, Object.keys(keys))}`,
      );
    }
    values[key] = checkValue(`${file}: ${key}`, value, spec);
  }
  return { file, values };
}

/** Checks the type of a value. @throws InputError when the value does not have the type of the option */
function checkValue(field: string, value: unknown, spec: OptionSpec): unknown {
  switch (spec.kind) {
    case "flag":
      if (typeof value === "boolean") return value;
      throw new InputError(field, value, "must be true or false");
    case "text":
      if (typeof value === "string") return value;
      throw new InputError(field, value, "must be a string");
    case "texts": {
      const texts = Array.isArray(value) ? value : [value];
      if (texts.every((text) => typeof text === "string")) return texts;
      throw new InputError(field, value, "must be a string, or a list of strings");
    }
    case "number":
      return checkNumber(field, value, { number: typeof value === "number" ? value : Number.NaN, ...spec });
    case "choice":
      return checkChoice(field, String(value), spec);
  }
}
