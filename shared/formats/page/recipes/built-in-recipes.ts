import { readBuiltInFiles } from "./built-in-files.ts";
import { parseRecipe } from "./parse-recipe.ts";
import type { NamedRecipe } from "./recipe.ts";

interface BuiltInRecipe extends NamedRecipe {
  toml: string;
}

let recipes: BuiltInRecipe[] | undefined;

/** Returns the built-in recipes by id, which are parsed once per process. */
export function builtInRecipes(): readonly BuiltInRecipe[] {
  recipes ??= Object.entries(readBuiltInFiles()).map(([id, toml]) => ({
    id,
    recipe: parseRecipe(toml, `${id}.toml`),
    toml,
  }));
  return recipes;
}
