import { compilePattern } from "../../../core/pattern.ts";
import { estimateSteps } from "../../../core/pattern-complexity.ts";
import { compileReader, type FoundValue, spendMatch } from "./compile-reader.ts";
import { parseIssueStatement } from "./issue-statement.ts";
import type { ReadablePage } from "./readable-page.ts";
import {
  citationFields,
  type Reader,
  type Recipe,
  type RecipeField,
  readerKinds,
  recipeFields,
} from "./recipe.ts";
import { tidyValue } from "./tidy-value.ts";

/** What a recipe reads for one field. */
export interface FieldReading {
  field: RecipeField;
  values: FoundValue[];
  /** The reader that found the values: `css .volume`. */
  from: string;
}

interface CompiledReader {
  reader: Reader;
  from: string;
  find: (page: ReadablePage) => FoundValue[];
}

const compiled = new WeakMap<Recipe, Map<RecipeField, CompiledReader[]>>();

/** Compiles the readers of a recipe, once per process. */
function compileRecipe(recipe: Recipe): Map<RecipeField, CompiledReader[]> {
  const known = compiled.get(recipe);
  if (known !== undefined) return known;
  const fields = new Map(
    recipeFields.map((field) => [
      field,
      (recipe.fields[field] ?? []).map((reader) => {
        const kind = readerKinds.find((each) => reader[each] !== undefined) ?? "value";
        const find = compileReader(reader, field);
        return { reader, from: `${kind} ${reader[kind]}`, find };
      }),
    ]),
  );
  compiled.set(recipe, fields);
  return fields;
}

/** The fields in the order in which they are read: the others may depend on the year. */
const readingOrder: readonly RecipeField[] = [
  "date",
  "year",
  ...recipeFields.filter((field) => !["date", "year", "citation"].includes(field)),
];

/**
 * Reads a page by a recipe. The first reader of a field that finds something counts; the fields of a citation count
 * where a field has no reader that finds something.
 * @param isWanted decides whether a field is read; by default, all fields are
 * @throws {PageTooLarge} when the page is too large, or the recipe takes too many steps on it
 */
export function readRecipe(
  recipe: Recipe,
  page: ReadablePage,
  isWanted: (field: RecipeField) => boolean = () => true,
): FieldReading[] {
  page.renewBudget();
  const readers = compileRecipe(recipe);
  const found = new Map<RecipeField, FieldReading>();
  const citation = isWanted("citation") ? readCitation(readers.get("citation") ?? [], page) : [];
  for (const reading of citation) found.set(reading.field, reading);
  for (const field of readingOrder.filter(isWanted)) {
    const reading = firstReading(field, { readers: readers.get(field) ?? [], page, year: yearOf(found) });
    if (reading !== undefined) found.set(field, reading);
  }
  const { needs } = recipe;
  const isArticle = needs === undefined || needs.some((field) => found.has(field));
  return recipeFields.flatMap((field) => {
    const reading = found.get(field);
    return reading !== undefined && (isArticle || field === "abstract") ? [reading] : [];
  });
}

function firstReading(
  field: RecipeField,
  { readers, page, year }: { readers: CompiledReader[]; page: ReadablePage; year: number | undefined },
): FieldReading | undefined {
  for (const { reader, from, find } of readers) {
    const { since, before } = reader;
    if (since !== undefined && !(year !== undefined && year >= since)) continue;
    if (before !== undefined && !(year !== undefined && year < before)) continue;
    const values = find(page).flatMap((value) => {
      const text = tidyValue(field, value.text);
      return text === "" ? [] : [{ ...value, text }];
    });
    if (values.length > 0) return { field, values, from };
  }
  return undefined;
}

function yearOf(found: ReadonlyMap<RecipeField, FieldReading>): number | undefined {
  const [date] = (found.get("year") ?? found.get("date"))?.values ?? [];
  const year = /\d{4}/.exec(date?.text ?? "")?.[0];
  return year === undefined ? undefined : Number(year);
}

/** Reads the fields of the first citation that has any of them. */
function readCitation(readers: readonly CompiledReader[], page: ReadablePage): FieldReading[] {
  for (const { reader, from, find } of readers) {
    const parse = reader.statement ? parseStatement : compileCitation(reader.regex ?? "", page);
    for (const { text } of find(page)) {
      const fields = parse(text);
      if (fields !== undefined)
        return citationFields.flatMap((field) => {
          const value = tidyValue(field, fields[field] ?? "");
          return value ? [{ field, values: [{ text: value }], from }] : [];
        });
    }
  }
  return [];
}

type CitationTexts = Partial<Record<(typeof citationFields)[number], string | undefined>>;

function parseStatement(text: string): CitationTexts | undefined {
  const { volume, issue, date: year, pages } = parseIssueStatement(text);
  return volume === undefined && issue === undefined ? undefined : { volume, issue, year, pages };
}

function compileCitation(regex: string, { budget }: ReadablePage) {
  const pattern = compilePattern(regex);
  const steps = estimateSteps(regex);
  const names = Object.keys(pattern.namedGroups());
  return (text: string): CitationTexts | undefined => {
    spendMatch(text, steps, budget);
    const matcher = pattern.matcher(text);
    if (!matcher.find()) return undefined;
    return Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? undefined]));
  };
}
