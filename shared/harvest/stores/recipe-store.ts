import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { cacheFor } from "../../core/cache-for.ts";
import type { Clock } from "../../core/clock.ts";
import { InputError } from "../../core/errors.ts";
import { parseRecipe } from "../../formats/page/recipes/parse-recipe.ts";
import type { NamedRecipe } from "../../formats/page/recipes/recipe.ts";
import type { RecipeStore, StoredRecipe } from "../recipes/recipe-store.ts";

/** The kind of the recipes in the configuration table. */
const kind = "recipe";

export function recipeStore(): RecipeStore {
  const items = table<StoredRecipe, string>({
    variable: "configurationTable",
    key: (id) => ({ kind, id }),
    hidden: ["kind"],
  });
  let parsed = new Map<string, NamedRecipe>();
  const stored = async () => items.query({ where: expression`kind = ${kind}`, isConsistent: true }).all();
  return {
    stored,
    async list() {
      // A recipe is parsed and compiled again only when it has changed.
      const found = (await stored()).flatMap((each) => {
        const key = JSON.stringify([each.id, each.toml]);
        const named = parsed.get(key) ?? parseStored(each);
        return named === undefined ? [] : [[key, named] as const];
      });
      parsed = new Map(found);
      return [...parsed.values()];
    },
    get: (id) => items.get(id),
    put: ({ id, toml }) => items.putItem(id, { toml }),
    add: ({ id, toml }) => items.putNew(id, { toml }),
    remove: (id) => items.deleteIf(id, expression`attribute_exists(id)`),
    change: (before, after) => {
      const isUnchanged = expression`toml = ${before.toml}`;
      return after === undefined
        ? items.deleteIf(before.id, isUnchanged)
        : items.putIf(before.id, { toml: after.toml }, isUnchanged);
    },
  };
}

/** @returns undefined for a recipe that this version does not accept, which the routes report */
function parseStored({ id, toml }: StoredRecipe): NamedRecipe | undefined {
  try {
    return { id, recipe: parseRecipe(toml) };
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** The time after which a change takes effect, as that of a source does. The articles of a source arrive in bursts. */
const cacheMs = 5000;

/** Returns the recipes of the store, which are read again only after five seconds. */
export function recentRecipes(clock: Clock): Pick<RecipeStore, "list"> {
  return { list: cacheFor(cacheMs, recipeStore().list, clock) };
}
