import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { collectParts } from "../../../../../shared/formats/page/page-parts.ts";
import { builtInRecipes } from "../../../../../shared/formats/page/recipes/built-in-recipes.ts";
import { readRecipe } from "../../../../../shared/formats/page/recipes/read-recipe.ts";
import { ReadablePage } from "../../../../../shared/formats/page/recipes/readable-page.ts";
import type { Recipe, RecipeField } from "../../../../../shared/formats/page/recipes/recipe.ts";
import { openCorpus } from "../../../../corpus.ts";

const corpus = openCorpus("pages");
const folders = [join(import.meta.dirname, "pages"), join(import.meta.dirname, "../fixtures")];

function pageText(name: string, isSaved: boolean): string {
  if (isSaved) return corpus.text(name);
  const folder = folders.find((each) => existsSync(join(each, name)));
  return readFileSync(join(folder ?? "", name), "utf8");
}

/** The expected values, of which those that end in "…" are beginnings. */
function expectedOf(expected: Partial<Record<RecipeField, string>>) {
  return Object.fromEntries(
    Object.entries(expected).map(([field, value]) => [
      field,
      value.endsWith("…") ? expect.stringMatching(new RegExp(`^${value.slice(0, -1)}.{100}`)) : value,
    ]),
  );
}

/** What a recipe reads from a page, by field. */
function read(recipe: Recipe, text: string): Partial<Record<RecipeField, string>> {
  const readings = readRecipe(recipe, new ReadablePage(text, collectParts(text)));
  return Object.fromEntries(
    readings.map(({ field, values }) => [field, values.map((value) => value.text).join("; ")]),
  );
}

const pages = builtInRecipes().flatMap(({ id, recipe }) =>
  (recipe.pages ?? []).map(({ page, saved = false, expected }) => ({ id, recipe, page, saved, expected })),
);

describe("built-in recipes", () => {
  it.each(pages.filter(({ saved }) => !saved))("$id reads $page", ({ recipe, page, expected }) => {
    expect(read(recipe, pageText(page, false))).toMatchObject(expectedOf(expected));
  });

  const saved = pages.filter((each) => each.saved);
  test.skipIf(corpus.isAbsent).each(saved)(
    "$id reads the saved page $page (skipped where the corpus is absent)",
    ({ recipe, page, expected }) => {
      expect(read(recipe, pageText(page, true))).toMatchObject(expectedOf(expected));
    },
  );

  it("each has a page; none with a saved page says that it is unproven", () => {
    for (const { id, recipe } of builtInRecipes()) {
      expect(recipe.pages?.length, id).toBeGreaterThan(0);
      const isSaved = recipe.pages?.some((page) => page.saved);
      expect(isSaved && recipe.unproven, id).toBeFalsy();
      for (const { expected } of recipe.pages ?? []) expect(Object.keys(expected), id).not.toEqual([]);
    }
  });

  it("each field of each recipe is read from one of its pages", () => {
    const unread = builtInRecipes().flatMap(({ id, recipe }) => {
      const own = (recipe.pages ?? []).filter(({ saved }) => !saved || !corpus.isAbsent);
      const found = new Set(
        own.flatMap(({ page, saved = false }) => Object.keys(read(recipe, pageText(page, saved)))),
      );
      const fields = Object.keys(recipe.fields).filter((field) => field !== "citation" && !found.has(field));
      return fields.map((field) => `${id}: ${field}`);
    });
    expect(unread).toEqual([]);
  });

  it("each has its row in the documents, with its proof", () => {
    const rows = builtInRecipes().map(({ id, recipe: { name, pages = [], unproven } }) => {
      const proof = pages.some(({ saved }) => saved) ? "saved page" : unproven ? "unproven" : "written page";
      return `| \`${id}\` | ${name} | ${proof} |`;
    });
    const document = readFileSync("docs/recipes.md", "utf8").split("\n");
    expect(document.filter((line) => line.startsWith("| `") && line.split("|").length === 5)).toEqual(rows);
  });
});
