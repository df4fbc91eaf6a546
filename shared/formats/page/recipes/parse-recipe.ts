import { InputError } from "../../../core/errors.ts";
import { parseToml } from "../../../core/parse-toml.ts";
import { parseInput } from "../../../core/schema-problems.ts";
import { type Recipe, recipe } from "./recipe.ts";

/** The maximum length of a recipe in characters. */
export const maxRecipeChars = 20_000;

/**
 * Parses a recipe, which is a TOML document.
 * @param file the name of its file, which errors name
 * @throws {InputError} that names the line, or the field and its value
 */
export function parseRecipe(toml: string, file?: string): Recipe {
  if (toml.length > maxRecipeChars) {
    throw new InputError(file ?? "toml", `${toml.length} characters`, `must have at most ${maxRecipeChars}`);
  }
  return parseInput(recipe, withReaderLists(parseToml(toml, { field: file ?? "toml" })), file);
}

/** Makes a list of the reader of a field that has only one. */
function withReaderLists({ fields, ...table }: Record<string, unknown>): unknown {
  if (typeof fields !== "object" || fields === null) return { fields, ...table };
  return {
    ...table,
    fields: Object.fromEntries(Object.entries(fields).map(([field, each]) => [field, [each].flat()])),
  };
}
