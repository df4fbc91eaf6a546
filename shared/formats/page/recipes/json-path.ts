import type { CostBudget } from "../../tree/cost-budget.ts";
import { isNode, type JsonLdGraph, readLiteral, typesOf, valuesOf } from "../json-ld-nodes.ts";

/** A step to the values of a property. */
interface Step {
  name: string;
  /** Whether the property may be that of any value below. */
  isDeep: boolean;
  /** The condition on the values: the text of a property of theirs. */
  where?: { names: string[]; text: string };
}

export type JsonPath = readonly Step[];

const step = /(\.\.|\.)?([^.[\]\s]+)(?:\[([^[\]=]+)=([^[\]]*)\])?/y;

const maxSteps = 20;

/** The nesting depth to which values are visited. */
const maxDepth = 50;

/**
 * Parses a path to JSON values: `article.volume`; `..volumeNumber` at any depth; `..abstract[$.class=author]` with a
 * condition. The first step may be a type of JSON-LD: `ScholarlyArticle.headline`.
 * @throws {SyntaxError} that names the problem and its position
 */
export function parseJsonPath(text: string): JsonPath {
  const steps: Step[] = [];
  for (let at = 0; at < text.length; at = step.lastIndex) {
    step.lastIndex = at;
    const match = step.exec(text);
    // Only the first step may have no dot, and a single dot separates two steps.
    const isWrong = match !== null && (steps.length === 0 ? match[1] === "." : match[1] === undefined);
    if (match === null || isWrong)
      throw new SyntaxError(`"${text.slice(at, at + 20)}" is not a step of a path, at position ${at + 1}`);
    const [, dots, name = "", names, value] = match;
    const where = names === undefined ? {} : { where: { names: names.split("."), text: value ?? "" } };
    steps.push({ name, isDeep: dots === "..", ...where });
  }
  if (steps.length === 0) throw new SyntaxError("the path is empty");
  if (steps.length > maxSteps) throw new SyntaxError(`more than ${maxSteps} steps`);
  return steps;
}

/**
 * Returns the values at a path. XML that is written as JSON (`#name`, `$`, `$$`, `_`) is searched by the names of its
 * elements, too.
 * @throws {PageTooLarge} when the budget is used up
 */
export function selectValues(
  roots: readonly unknown[],
  path: JsonPath,
  { graph, budget }: { graph: JsonLdGraph; budget: CostBudget },
): unknown[] {
  let values: unknown[] = roots.flatMap(listOf);
  for (const [at, { name, isDeep, where }] of path.entries()) {
    const ofType =
      at === 0 && !isDeep ? values.filter((value) => isNode(value) && typesOf(value).includes(name)) : [];
    const next =
      ofType.length > 0
        ? ofType
        : isDeep
          ? search(values, name, budget)
          : values.flatMap((value) => {
              const listed = isNode(value) && Object.hasOwn(value, name) ? value[name] : undefined;
              budget.spend(1 + (Array.isArray(listed) ? listed.length : 0));
              return isNode(value) && listed !== undefined ? valuesOf(value, name, graph) : [];
            });
    values = where === undefined ? next : next.filter((value) => fulfils(value, where));
  }
  return values;
}

function fulfils(value: unknown, { names, text }: NonNullable<Step["where"]>): boolean {
  const found = names.reduce<unknown>((at, name) => (isNode(at) ? at[name] : undefined), value);
  return (readLiteral(found) ?? "") === text;
}

/** Returns the outermost values with a name below the given ones, in order. */
function search(roots: readonly unknown[], name: string, budget: CostBudget): unknown[] {
  const found: unknown[] = [];
  const walk = (value: unknown, depth: number): void => {
    budget.spend(1);
    if (depth > maxDepth) return;
    if (Array.isArray(value)) for (const entry of value) walk(entry, depth + 1);
    else if (isNode(value)) {
      if (value["#name"] === name) found.push(value);
      else
        for (const [key, child] of Object.entries(value))
          if (key !== name) walk(child, depth + 1);
          else for (const each of listOf(child)) found.push(each);
    }
  };
  for (const root of roots) walk(root, 0);
  return found;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Elements of XML in JSON that separate words. */
const block = /para|sec|title$/;

/**
 * Returns the text of a value as markup. That of XML in JSON has a space between blocks: `CH<inf>4</inf>` remains one
 * word.
 * @param without the names of XML elements that are left out
 */
export function valueMarkup(
  root: unknown,
  { without, maxChars, budget }: { without: ReadonlySet<string>; maxChars: number; budget: CostBudget },
): string | undefined {
  if (!isNode(root) || root["#name"] === undefined) return readLiteral(root)?.slice(0, maxChars);
  let markup = "";
  const walk = (value: unknown, depth: number): void => {
    budget.spend(1);
    if (depth > maxDepth || markup.length > maxChars) return;
    if (Array.isArray(value)) for (const entry of value) walk(entry, depth + 1);
    if (!isNode(value) || without.has(String(value["#name"]))) return;
    if (block.test(String(value["#name"]))) markup += " ";
    if (typeof value._ === "string") markup += value._;
    walk(value.$$, depth + 1);
  };
  walk(root, 0);
  return markup.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
