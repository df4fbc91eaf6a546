import type { Write } from "../../../local/cli/memory/write.ts";
import { parseRecipe } from "../../../shared/formats/page/recipes/parse-recipe.ts";
import type { RecipeStore, StoredRecipe } from "../../../shared/harvest/recipes/recipe-store.ts";

/** The recipes of operators in memory. */
export function memoryRecipes(memory: { recipesById: Map<string, string> }, write: Write): RecipeStore {
  const { recipesById: recipes } = memory;
  const stored = async (): Promise<StoredRecipe[]> =>
    [...recipes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, toml]) => ({ id, toml }));
  const set = (id: string, toml: string | undefined) =>
    toml === undefined ? recipes.delete(id) : recipes.set(id, toml);
  return {
    stored,
    list: async () => (await stored()).map(({ id, toml }) => ({ id, recipe: parseRecipe(toml) })),
    get: async (id) => {
      const toml = recipes.get(id);
      return toml === undefined ? undefined : { id, toml };
    },
    put: ({ id, toml }) => write(() => void set(id, toml)),
    add: ({ id, toml }) => write(() => !recipes.has(id) && Boolean(set(id, toml))),
    remove: (id) => write(() => recipes.delete(id)),
    change: (before, after) =>
      write(() => recipes.get(before.id) === before.toml && Boolean(set(before.id, after?.toml))),
  };
}
