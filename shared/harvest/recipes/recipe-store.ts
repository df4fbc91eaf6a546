import type { NamedRecipe } from "../../formats/page/recipes/recipe.ts";

/** A recipe as an operator wrote it. */
export interface StoredRecipe {
  id: string;
  /** A TOML document, which keeps its comments. */
  toml: string;
}

/** The recipes of operators. */
export interface RecipeStore {
  /** Returns the valid recipes by id, ready for use. */
  list(): Promise<readonly NamedRecipe[]>;
  /** Returns all recipes by id, as operators wrote them. */
  stored(): Promise<StoredRecipe[]>;
  get(id: string): Promise<StoredRecipe | undefined>;
  put(recipe: StoredRecipe): Promise<void>;
  /** @returns `false` when a recipe has the id */
  add(recipe: StoredRecipe): Promise<boolean>;
  /**
   * Replaces or deletes a recipe.
   * @param after undefined to delete the recipe
   * @returns `false` when the stored recipe is not the one before
   */
  change(before: StoredRecipe, after: StoredRecipe | undefined): Promise<boolean>;
  /** @returns `false` when there was no such recipe */
  remove(id: string): Promise<boolean>;
}
