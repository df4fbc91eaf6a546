import * as z from "zod";
import { accept, acceptedAnswer } from "../../api/accepted.ts";
import { problem, refuseUnknown, time } from "../../api/answer.ts";
import { etagOfContent } from "../../api/etag.ts";
import { next, pageByKey, pageQuery } from "../../api/paging.ts";
import { mayOnlyCreate, readPrecondition, refuseStale } from "../../api/precondition.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { InputError } from "../../core/errors.ts";
import { withoutCredentials } from "../../core/url-credentials.ts";
import { builtInRecipes } from "../../formats/page/recipes/built-in-recipes.ts";
import { maxRecipeChars, parseRecipe } from "../../formats/page/recipes/parse-recipe.ts";
import type { Recipe } from "../../formats/page/recipes/recipe.ts";
import type { ConfigurationStore } from "../../records/sources/conf/configuration-store.ts";
import { source } from "../../records/sources/source.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import type { RecipeStore, StoredRecipe } from "../recipes/recipe-store.ts";
import { type RecipeTrialStore, startTrial, type TrialPorts } from "../recipes/recipe-trial.ts";
import { chooseGroup } from "./choose-group.ts";

export interface RecipePorts extends TrialPorts {
  recipes: RecipeStore;
  recipeTrials: Pick<RecipeTrialStore, "create" | "get">;
  configuration: Pick<ConfigurationStore, "page">;
  sources: Pick<SourceStore, "group">;
}

/** The maximum length of a page that is sent for a trial. */
const maxHtmlChars = 2_000_000;

const recipeId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "must have lower-case letters, digits and hyphens")
  .describe("The id of the recipe, which the provenance of records names");
const params = z.strictObject({ id: recipeId });

const toml = z
  .string()
  .max(maxRecipeChars)
  .describe("The recipe as a TOML document; see [recipes](recipes.md)");

const proof = z
  .enum(["saved-page", "written-page", "none"])
  .describe(
    "What proves the recipe: a saved page of the platform, only a page that was written like those of the platform, or none",
  );

const storedRecipe = z
  .strictObject({
    id: recipeId,
    name: z.string().optional().describe("Absent if the recipe is not valid"),
    hosts: z.array(z.string()).describe("The hosts of its pages; empty if it is chosen by a signature only"),
    origin: z
      .enum(["built-in", "changed", "own"])
      .describe("Built in; written by an operator in place of a built-in one; or written by an operator"),
    proof,
    problem: z
      .string()
      .optional()
      .describe("Why the recipe is not valid in this version and not used; otherwise absent"),
    etag: z.string().optional().describe("The version. Send it as `If-Match`. Absent for a built-in recipe"),
  })
  .meta({ title: "RecipeSummary" });
const recipeBody = storedRecipe.extend({ toml }).meta({ title: "Recipe" });

const trial = {
  isForPage: z.boolean().describe("Whether the recipe is for the page, by its hosts and signature"),
  fields: z.array(
    z.strictObject({
      field: z.string(),
      values: z.array(z.string()).describe("What the recipe reads; long lists and texts are truncated"),
      from: z.string().describe("The reader that found the values"),
      isUsed: z.boolean().describe("False if the page states the value elsewhere, which precedes the recipe"),
      without: z.string().optional().describe("The value of the article without the recipe"),
    }),
  ),
  problems: z.array(z.string()),
};

const exampleToml = `name = "Journal of Bees"
hosts = ["bees.example"]

[fields]
volume = { css = ".issue .volume" }
`;

const route = routesOver<RecipePorts>();

export const recipeSubject = {
  title: "Recipes",
  introduction:
    "A recipe says how the pages of a publishing platform are read. Recipes of operators precede the built-in ones; a recipe with the id of a built-in one replaces it. A change takes effect within five seconds.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/recipes",
      summary: "Lists the recipes by id",
      query: pageQuery({ most: 1000, otherwise: 200 }),
      answers: {
        200: { description: "A page", body: z.strictObject({ recipes: z.array(storedRecipe), next }) },
      },
      handler:
        ({ recipes }) =>
        async (context, { query }) => {
          const stored = await recipes.stored();
          const ids = new Set(stored.map(({ id }) => id));
          const all = [
            ...stored.map(describeStored),
            ...builtInRecipes()
              .filter(({ id }) => !ids.has(id))
              .map(describeBuiltIn),
          ];
          const summaries = all.map(({ toml: _toml, ...summary }) => summary);
          const { page, ...rest } = pageByKey(summaries, query, ({ id }) => id);
          return context.json({ recipes: page, ...rest });
        },
    }),
    route({
      method: "GET",
      path: "/recipes/{id}",
      summary: "Returns a recipe",
      params,
      answers: { 200: { description: "The recipe", body: recipeBody }, 404: problem("No such recipe") },
      handler:
        ({ recipes }) =>
        async (context, { params: { id } }) => {
          const stored = await recipes.get(id);
          const builtIn = builtInRecipes().find((each) => each.id === id);
          if (stored !== undefined) return context.json(describeStored(stored));
          return builtIn === undefined
            ? refuseUnknown(context, "recipe", id)
            : context.json(describeBuiltIn(builtIn));
        },
    }),
    route({
      method: "PUT",
      path: "/recipes/{id}",
      summary: "Writes a recipe",
      ifMatch: true,
      ifNoneMatch: true,
      params,
      body: z.strictObject({ toml }),
      example: { toml: exampleToml },
      answers: { 200: { description: "The recipe", body: recipeBody } },
      handler:
        ({ recipes }) =>
        async (context, { params: { id }, body }) => {
          const after = { id, toml: body.toml };
          parseRecipe(after.toml);
          const precondition = readPrecondition(context);
          if (mayOnlyCreate(context)) {
            if (!(await recipes.add(after))) return refuseStale(context, `recipe ${id}`);
          } else if (precondition === undefined) await recipes.put(after);
          else {
            const before = await recipes.get(id);
            const isMeant = before !== undefined && precondition.isMetBy(etagOf(before));
            if (!isMeant || !(await recipes.change(before, after)))
              return refuseStale(context, `recipe ${id}`);
          }
          return context.json(describeStored(after));
        },
    }),
    route({
      method: "DELETE",
      path: "/recipes/{id}",
      summary: "Deletes a recipe",
      ifMatch: true,
      details: "The built-in recipe with the same id, if any, is used again.",
      params,
      answers: { 204: { description: "The recipe was deleted" }, 404: problem("No such recipe") },
      handler:
        ({ recipes }) =>
        async (context, { params: { id } }) => {
          const precondition = readPrecondition(context);
          if (precondition === undefined)
            return (await recipes.remove(id))
              ? context.body(null, 204)
              : refuseUnknown(context, "recipe", id);
          const before = await recipes.get(id);
          const isMeant = before !== undefined && precondition.isMetBy(etagOf(before));
          return isMeant && (await recipes.change(before, undefined))
            ? context.body(null, 204)
            : refuseStale(context, `recipe ${id}`);
        },
    }),
    route({
      method: "POST",
      path: "/recipes/try",
      summary: "Tries a recipe on a page",
      details:
        "With `html`, the page is not requested, and `url` is only its address. Otherwise, the page at `url` is requested. Hosts are requested in turn, so the result takes a while. Get it from the path in `result`. Nothing is stored or delivered.",
      body: z.strictObject({
        toml,
        html: z
          .string()
          .max(maxHtmlChars)
          .optional()
          .describe("The page, of at most 90 KB when it is compressed"),
        url: z
          .url({ protocol: /^https?$/, error: "must be an http or https URL" })
          .max(4000)
          .overwrite(withoutCredentials)
          .optional()
          .describe("The address of the page; required without `html`"),
        groupId: source.shape.groupId
          .optional()
          .describe("The group as which the page is requested; required when there are several groups"),
      }),
      example: {
        toml: exampleToml,
        html: '<title>On Bees</title><p class="issue"><i class="volume">12</i></p>',
      },
      answers: { 202: acceptedAnswer("The page will be read", ["running"], {}) },
      handler:
        (ports) =>
        async (context, { body: { toml: text, html, url = noAddress, groupId } }) => {
          parseRecipe(text);
          if (html === undefined && url === noAddress)
            throw new InputError("url", undefined, "is required without html");
          const { userAgent } = html === undefined ? await chooseGroup(groupId, ports) : {};
          const { trialId } = await startTrial({ url, toml: text, html, userAgent }, ports);
          return accept(context, { status: "running", result: `/recipes/trials/${trialId}` });
        },
    }),
    route({
      method: "GET",
      path: "/recipes/trials/{id}",
      summary: "Returns what a recipe reads from a requested page",
      params: z.strictObject({ id: z.string().regex(/^[\w-]{1,64}$/, "must be the id of a trial") }),
      answers: {
        200: {
          description: "The page has been read",
          body: z.strictObject({
            status: z.literal("finished"),
            url: z.string(),
            toml,
            requestedAt: time,
            ...trial,
          }),
        },
        202: acceptedAnswer("The page has not arrived; try again", ["running"], { url: z.string() }),
        404: problem("No such trial; trials are kept for a day"),
      },
      handler:
        ({ recipeTrials }) =>
        async (context, { params: { id } }) => {
          const found = await recipeTrials.get(id);
          if (found === undefined) return refuseUnknown(context, "trial", id);
          const { url, toml: text, requestedAt, trial: result } = found;
          if (result === undefined)
            return accept(context, { status: "running", result: `/recipes/trials/${id}` }, { url });
          return context.json({ status: "finished", url, toml: text, requestedAt, ...result });
        },
    }),
  ],
} satisfies Subject<RecipePorts>;

/** The address of a page that has none. No recipe names its host. */
const noAddress = "https://page.invalid/";

function etagOf({ toml: text }: StoredRecipe): string {
  return etagOfContent({ toml: text });
}

function describeStored(stored: StoredRecipe): z.output<typeof recipeBody> {
  const { id, toml: text } = stored;
  const isBuiltIn = builtInRecipes().some((each) => each.id === id);
  const common = { id, toml: text, origin: isBuiltIn ? "changed" : "own", etag: etagOf(stored) } as const;
  try {
    return { ...common, ...describeRecipe(parseRecipe(text)) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { ...common, hosts: [], proof: "none", problem: error.message };
  }
}

function describeBuiltIn({ id, recipe, toml: text }: ReturnType<typeof builtInRecipes>[number]) {
  return { id, toml: text, origin: "built-in" as const, ...describeRecipe(recipe) };
}

function describeRecipe({ name, hosts = [], pages = [], unproven }: Recipe) {
  const isSaved = pages.some(({ saved }) => saved);
  const proven = isSaved
    ? "saved-page"
    : pages.length > 0 && unproven === undefined
      ? "written-page"
      : "none";
  return { name, hosts, proof: proven as z.output<typeof proof> };
}
