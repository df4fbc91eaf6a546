import * as z from "zod";
import { compilePattern, patternText } from "../../../core/pattern.ts";
import { parseSelectors } from "../../css/parse-selector.ts";
import { xpathText } from "../../xpath/xpath.ts";
import { parseJsonPath } from "./json-path.ts";

/**
 * The fields that a recipe can read. `year` is that of the volume, which precedes every other date. The text of
 * `citation` has several fields.
 */
export const recipeFields = [
  "title",
  "creators",
  "date",
  "year",
  "journal",
  "volume",
  "issue",
  "pages",
  "doi",
  "issn",
  "language",
  "publisher",
  "abstract",
  "keywords",
  "licence",
  "type",
  "citation",
] as const;
export type RecipeField = (typeof recipeFields)[number];

/** The fields that a citation can have, as groups of its regular expression. */
export const citationFields = ["year", "volume", "issue", "pages", "journal"] as const;

/** The item types that a recipe can state. */
export const statedTypes = [
  "journalArticle",
  "magazineArticle",
  "newspaperArticle",
  "conferencePaper",
  "bookSection",
  "book",
  "thesis",
  "report",
  "blogPost",
  "webpage",
] as const;

/** The places from which a reader reads. */
export const readerKinds = ["css", "xpath", "meta", "jsonld", "json", "label", "value"] as const;
export type ReaderKind = (typeof readerKinds)[number];

const maxSelectorChars = 500;
const maxPatternChars = 1000;

/** A text that is valid if it can be compiled. */
function compilable(compile: (text: string) => unknown) {
  return z
    .string()
    .min(1)
    .max(maxSelectorChars)
    .superRefine((text, context) => {
      try {
        compile(text);
      } catch (error) {
        context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
      }
    });
}

const selectors = compilable(parseSelectors);
const jsonPath = compilable(parseJsonPath);
const shortText = z.string().min(1).max(maxSelectorChars);
const pattern = patternText.max(maxPatternChars);
const year = z.int().min(1450).max(2099);

const reader = z
  .strictObject({
    css: selectors.optional(),
    xpath: xpathText.max(maxSelectorChars).min(1).optional(),
    meta: shortText.optional(),
    jsonld: jsonPath.optional(),
    json: jsonPath.optional(),
    label: pattern.optional(),
    value: shortText.optional(),
    attribute: shortText.optional(),
    without: shortText.optional(),
    last: shortText.optional(),
    given: jsonPath.optional(),
    family: jsonPath.optional(),
    orcid: jsonPath.optional(),
    regex: pattern.optional(),
    statement: z.literal(true).optional(),
    as: shortText.optional(),
    longest: z.literal(true).optional(),
    since: year.optional(),
    before: year.optional(),
  })
  .superRefine((given, context) => {
    const refuse = (key: string, message: string) =>
      context.addIssue({ code: "custom", path: [key], message });
    const kinds = readerKinds.filter((kind) => given[kind] !== undefined);
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1) {
      context.addIssue({ code: "custom", message: `must have exactly one of ${readerKinds.join(", ")}` });
      return;
    }
    for (const [option, permitted] of Object.entries(optionKinds))
      if (given[option as keyof typeof given] !== undefined && !permitted.includes(kind))
        refuse(option, `can only be used with ${permitted.join(", ")}`);
    const compile = { css: parseSelectors, json: parseJsonPath, jsonld: parseJsonPath };
    for (const option of ["last", "without"] as const) {
      const isName = option === "without" && kind === "json";
      const text = given[option];
      if (text === undefined || isName || !(kind === "css" || kind === "json" || kind === "jsonld")) continue;
      try {
        compile[kind](text);
      } catch (error) {
        refuse(option, error instanceof Error ? error.message : String(error));
      }
    }
    if ((given.given === undefined) !== (given.family === undefined))
      refuse(given.given === undefined ? "given" : "family", "is missing: given and family belong together");
  });

/** The kinds of readers with which an option can be used. */
const optionKinds: Readonly<Record<string, readonly ReaderKind[]>> = {
  attribute: ["css"],
  without: ["css", "json"],
  last: ["css", "json", "jsonld", "meta"],
  given: ["json", "jsonld"],
  family: ["json", "jsonld"],
  orcid: ["json", "jsonld"],
};

export type Reader = z.output<typeof reader>;

const maxReaders = 20;
const readers = z.array(reader).min(1).max(maxReaders);

const host = z
  .string()
  .max(253)
  .regex(
    /^(?:\*|[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/,
    "must be a host in lower case, such as journals.example.org, or *",
  );

/** How to read the pages of a publishing platform. */
export const recipe = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    note: z.string().max(2000).optional(),
    hosts: z.array(host).max(500).optional(),
    signature: z
      .array(z.strictObject({ meta: shortText, regex: pattern.optional() }))
      .max(20)
      .optional(),
    needs: z.array(z.enum(recipeFields)).max(recipeFields.length).optional(),
    overrides: z.array(z.enum(recipeFields)).max(recipeFields.length).optional(),
    onlyGaps: z.literal(true).optional(),
    unproven: z.string().max(500).optional(),
    pages: z
      .array(
        z.strictObject({
          page: shortText,
          saved: z.literal(true).optional(),
          expected: z.partialRecord(z.enum(recipeFields), z.string()),
        }),
      )
      .max(20)
      .optional(),
    fields: z.partialRecord(z.enum(recipeFields), readers),
  })
  .superRefine(({ hosts = [], signature = [], fields }, context) => {
    if (hosts.length + signature.length === 0)
      context.addIssue({
        code: "custom",
        path: ["hosts"],
        message: "must name a host, unless there is a signature",
      });
    if (Object.keys(fields).length === 0)
      context.addIssue({ code: "custom", path: ["fields"], message: "must have a field" });
    for (const [at, each] of (fields.type ?? []).entries()) {
      const key = each.as === undefined ? "value" : "as";
      if (each[key] === undefined || statedTypes.some((type) => type === each[key])) continue;
      const message = `must be an item type: ${statedTypes.join(", ")}`;
      context.addIssue({ code: "custom", path: ["fields", "type", at, key], message });
    }
    for (const [at, { statement, regex }] of (fields.citation ?? []).entries()) {
      if (statement !== undefined) continue;
      const names = groupsOf(regex ?? "");
      const unknown = names.find((name) => !citationFields.some((field) => field === name));
      if (names.length > 0 && unknown === undefined) continue;
      context.addIssue({
        code: "custom",
        path: ["fields", "citation", at, "regex"],
        message: `must have named groups, such as (?P<volume>\\d+), of ${citationFields.join(", ")}; or set statement = true`,
      });
    }
  });
export type Recipe = z.output<typeof recipe>;

/** Returns the names of the groups of a pattern. One that cannot be compiled is reported at its own field. */
function groupsOf(regex: string): string[] {
  try {
    return Object.keys(compilePattern(regex).namedGroups());
  } catch {
    return [];
  }
}

/** A recipe with the id under which it is stored or built in. */
export interface NamedRecipe {
  id: string;
  recipe: Recipe;
}
