import type { MetadataCreator } from "../../formats/article-metadata.ts";
import { fullName } from "../../formats/creator-names.ts";
import { decodePage } from "../../formats/page/decode-page.ts";
import { collectParts } from "../../formats/page/page-parts.ts";
import { type PageHints, readPageItem } from "../../formats/page/read-page.ts";
import { readSafely, recipesFor } from "../../formats/page/recipes/read-recipes.ts";
import { ReadablePage } from "../../formats/page/recipes/readable-page.ts";
import type { NamedRecipe, RecipeField } from "../../formats/page/recipes/recipe.ts";
import { itemFields } from "../../formats/page/recipes/recipe-metadata.ts";
import type { ZoteroItem } from "../../formats/zotero-item.ts";

/** What a recipe reads for a field. */
export interface TriedField {
  field: RecipeField;
  values: string[];
  /** The reader: `css .volume`. */
  from: string;
  /** Whether the value is that of the article. Otherwise, the page states the value of the article elsewhere. */
  isUsed: boolean;
  /** The value of the article without the recipe. */
  without?: string;
}

/** The effect of a recipe on a page. */
export interface RecipeTrial {
  /** Whether the recipe is for the page, by its hosts and signature. */
  isForPage: boolean;
  fields: TriedField[];
  problems: string[];
}

/** The number of characters that are returned of the values of a field. A stored trial has at most 400 KB. */
const maxFieldChars = 4000;
const maxWithoutChars = 2000;

/**
 * Reads a page by a recipe, whether it is for the page or not.
 * @param page.url the address of the page, by which the recipe is chosen
 */
export function tryRecipe(
  { id, recipe }: NamedRecipe,
  { bytes, ...page }: Pick<PageHints, "url" | "contentType"> & { bytes: Uint8Array },
): RecipeTrial {
  const decoded = decodePage(bytes, page.contentType);
  if (decoded.type === "no-text") return { isForPage: false, fields: [], problems: [decoded.detail] };
  const parts = collectParts(decoded.text);
  const isForPage = recipesFor({ ...page, ...parts })({ recipe });
  const readings = readSafely(recipe, new ReadablePage(decoded.text, parts));
  if (typeof readings === "string") return { isForPage, fields: [], problems: [readings] };
  const forced = [{ id, recipe: { ...recipe, hosts: ["*"] } }];
  const read = readPageItem(bytes, { ...page, recipes: forced });
  const item = read.type === "item" ? read.item : undefined;
  const origins = read.type === "item" ? (read.recipes ?? {}) : {};
  const fields = readings.map(({ field, values, from }): TriedField => {
    const name = itemFields[field] ?? field;
    const isUsed = origins[name]?.id === id;
    const without = describe(isUsed ? origins[name]?.without : item?.[name]);
    return {
      field,
      values: shorten(values.map(({ text }) => text)),
      from,
      isUsed,
      ...(without !== "" && { without }),
    };
  });
  const problems = read.type === "item" ? read.problems : [`${read.reason}: ${read.detail}`];
  return { isForPage, fields, problems };
}

/** Returns the values up to the limit. */
function shorten(values: readonly string[]): string[] {
  let left = maxFieldChars;
  return values.flatMap((value) => {
    const shown = value.slice(0, left);
    left -= Math.max(1, value.length);
    return shown === "" ? [] : [shown];
  });
}

function describe(value: unknown): string {
  const texts = Array.isArray(value) ? value.map(describeEntry) : [String(value ?? "")];
  return texts.join("; ").slice(0, maxWithoutChars);
}

function describeEntry(entry: MetadataCreator & NonNullable<ZoteroItem["tags"]>[number]): string {
  return "tag" in entry ? String(entry.tag) : fullName(entry);
}
