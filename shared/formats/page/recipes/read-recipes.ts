import { compilePattern } from "../../../core/pattern.ts";
import type { ArticleMetadata } from "../../article-metadata.ts";
import { PageTooLarge } from "../../tree/page-tree.ts";
import type { PageParts } from "../page-parts.ts";
import { builtInRecipes } from "./built-in-recipes.ts";
import { isHostOf } from "./host-family.ts";
import { type FieldReading, readRecipe } from "./read-recipe.ts";
import { ReadablePage } from "./readable-page.ts";
import type { NamedRecipe, Recipe, RecipeField } from "./recipe.ts";
import { buildRecipeMetadata } from "./recipe-metadata.ts";

/** The number of recipes of operators that read one page. */
const maxOwnRecipes = 10;

type Parts = Pick<PageParts, "metas" | "links" | "jsonLd">;

/** A field that recipes read, with the recipe that read it. */
export interface RecipeReading extends FieldReading {
  recipeId: string;
}

export interface RecipeResult {
  /** What counts before the page's meta tags. */
  overriding: ArticleMetadata | undefined;
  /** What the page's meta tags lack. */
  metadata: ArticleMetadata | undefined;
  readings: RecipeReading[];
  problems: string[];
}

/**
 * Reads a page by all recipes that are for it: those of operators, then the built-in ones. A recipe of an operator
 * replaces the built-in one with its id. Of the recipes that find something for a field, the first one counts.
 */
export function readRecipes(
  text: string,
  { url, own, ...parts }: { url: string; own: readonly NamedRecipe[] } & Parts,
): RecipeResult {
  const page = new ReadablePage(text, parts);
  const isFor = recipesFor({ url, ...parts });
  const replaced = new Set(own.map(({ id }) => id));
  const recipes = [
    ...own.filter(isFor).slice(0, maxOwnRecipes),
    ...builtInFor(isFor).filter(({ id }) => !replaced.has(id)),
  ];
  const found = new Map<RecipeField, RecipeReading>();
  const overridden: FieldReading[] = [];
  const problems: string[] = [];
  for (const { id, recipe } of recipes) {
    const reading = readSafely(recipe, page);
    if (typeof reading === "string") problems.push(`recipe ${id}: ${reading}`);
    else
      for (const each of reading) {
        if (found.has(each.field)) continue;
        found.set(each.field, { ...each, recipeId: id });
        if (recipe.overrides?.includes(each.field)) overridden.push(each);
      }
  }
  const readings = [...found.values()];
  const others = readings.filter(({ field }) => !overridden.some((each) => each.field === field));
  return {
    overriding: overridden.length === 0 ? undefined : buildRecipeMetadata(overridden),
    metadata: others.length === 0 ? undefined : buildRecipeMetadata(others),
    readings,
    problems,
  };
}

/**
 * Returns the built-in recipes for a page: those that name its host, then those that know its signature; only if there
 * is neither, the recipe for any site.
 */
function builtInFor(isFor: (named: NamedRecipe) => boolean): NamedRecipe[] {
  const all = builtInRecipes().filter(isFor);
  const specific = all.filter(({ recipe: { hosts } }) => hosts?.includes("*") !== true);
  const hasHosts = ({ recipe: { signature } }: NamedRecipe) => signature === undefined;
  return specific.length === 0
    ? all
    : [...specific.filter(hasHosts), ...specific.filter((each) => !hasHosts(each))];
}

/** Reads a page by one recipe. @returns the problem if the page or the recipe needs too much time */
export function readSafely(recipe: Recipe, page: ReadablePage): FieldReading[] | string {
  try {
    return readRecipe(recipe, page, recipe.onlyGaps && gapsOf(page.metas));
  } catch (error) {
    if (error instanceof PageTooLarge) return error.message;
    throw error;
  }
}

/** Meta tags that contain the URL of the page itself. */
const ownUrls = /^(?:og:url|citation_(?:public|(?:abstract|fulltext)_html)_url)$/;

/**
 * Returns a function that decides whether a recipe is for a page. A proxy delivers the page under another host, so the
 * hosts of the URLs that the page states as its own are also compared.
 */
export function recipesFor({
  url,
  metas,
  links,
}: { url: string } & Pick<Parts, "metas" | "links">): (named: Pick<NamedRecipe, "recipe">) => boolean {
  const stated = [
    ...links.filter(({ rel }) => rel.includes("canonical")).map((link) => link.url),
    ...metas.filter(({ name }) => ownUrls.test(name)).map(({ content }) => content),
  ];
  const pageHosts = [url, ...stated].flatMap((each) => URL.parse(each)?.hostname ?? []);
  return ({ recipe: { hosts = [], signature = [] } }) =>
    hosts.includes("*") ||
    isHostOf(pageHosts, hosts) ||
    signature.some(({ meta, regex }) =>
      metas.some(
        ({ name, content }) =>
          name === meta.toLowerCase() &&
          (regex === undefined || compilePattern(regex).matcher(content.slice(0, 500)).find()),
      ),
    );
}

const statesVolume = /^(?:citation_volume|prism\.volume|dc\.source\.volume|eprints\.volume)$/;
const statesAbstract =
  /^(?:citation_abstract|dc\.description(?:\.abstract)?|dcterms\.abstract|eprints\.abstract)$/;
/** The shortest abstract in a meta tag that is certainly not cut for search engines. */
const minWholeChars = 340;

/** Returns a function that decides whether the meta tags lack a field, or an abstract that is certainly whole. */
function gapsOf(metas: PageParts["metas"]): (field: RecipeField) => boolean {
  const hasVolume = metas.some(({ name }) => statesVolume.test(name));
  const hasAbstract = metas.some(
    ({ name, content }) => statesAbstract.test(name) && content.length >= minWholeChars,
  );
  return (field) => !(field === "abstract" ? hasAbstract : hasVolume);
}
