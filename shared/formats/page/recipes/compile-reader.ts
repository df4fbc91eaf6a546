import { compilePattern } from "../../../core/pattern.ts";
import { estimateSteps } from "../../../core/pattern-complexity.ts";
import type { MetadataCreator } from "../../article-metadata.ts";
import { buildPersonCreator, parseCreatorName, withOrcid } from "../../creator-names.ts";
import { parseSelectors } from "../../css/parse-selector.ts";
import { attributeOf, selectElements } from "../../css/select-elements.ts";
import { maxCreators, maxTextChars } from "../../limits.ts";
import { formatPageRange } from "../../page-range.ts";
import { plainText } from "../../plain-text.ts";
import type { CostBudget } from "../../tree/cost-budget.ts";
import { nodeMarkup } from "../../tree/node-markup.ts";
import { nodeKind, type PageTree } from "../../tree/page-tree.ts";
import { compileXPath } from "../../xpath/xpath.ts";
import { parseJsonPath, selectValues, valueMarkup } from "./json-path.ts";
import type { ReadablePage } from "./readable-page.ts";
import { type Reader, type ReaderKind, type RecipeField, readerKinds } from "./recipe.ts";

/** A value that a reader found. */
export interface FoundValue {
  text: string;
  /** The person, if the page has the parts of the name. */
  creator?: MetadataCreator;
}

type Find = (page: ReadablePage) => FoundValue[];

/**
 * Compiles a reader. The heading before an abstract is left out. The texts of citations are returned unmatched.
 * @returns a function that returns the values in page order
 * @throws {PageTooLarge} when the function has used up the budget of the page
 */
export function compileReader(reader: Reader, field: RecipeField): Find {
  const isAbstract = field === "abstract";
  const kind = readerKinds.find((each) => reader[each] !== undefined) ?? "value";
  const find = finders[kind](reader[kind] ?? "", { ...reader, isAbstract });
  const { last, regex, longest, as } = reader;
  const findLast = last === undefined ? undefined : finders[kind](last, { isAbstract });
  const match = regex === undefined || field === "citation" ? undefined : compileMatch(regex);
  return (page) => {
    let values = find(page).slice(0, maxCreators);
    if (findLast !== undefined && values[0] !== undefined)
      values = [{ text: formatPageRange(values[0].text, findLast(page)[0]?.text) ?? values[0].text }];
    if (match !== undefined) values = values.flatMap(({ text }) => match(text, page.budget) ?? []);
    if (kind === "label" && new Set(values.map(({ text }) => text)).size > 1) return [];
    if (as !== undefined) return values.length === 0 ? [] : [{ text: as }];
    return longest ? values.toSorted((a, b) => b.text.length - a.text.length).slice(0, 1) : values;
  };
}

/** Returns a function that finds the first group that has a text, or the whole match. */
function compileMatch(regex: string) {
  const pattern = compilePattern(regex);
  const steps = estimateSteps(regex);
  return (text: string, budget: CostBudget): FoundValue | undefined => {
    spendMatch(text, steps, budget);
    const matcher = pattern.matcher(text);
    if (!matcher.find()) return undefined;
    for (let group = 1; group <= matcher.groupCount(); group++) {
      const found = matcher.group(group)?.trim();
      if (found) return { text: found };
    }
    const whole = matcher.groupCount() === 0 ? matcher.group()?.trim() : undefined;
    return whole ? { text: whole } : undefined;
  };
}

/** Spends the cost of a search: the engine looks at each step of the pattern for each character. */
export function spendMatch(text: string, steps: number, budget: CostBudget): void {
  budget.spend((text.length * steps) / 4);
}

type Options = Partial<Reader> & { isAbstract: boolean };

const finders: Readonly<Record<ReaderKind, (text: string, options: Options) => Find>> = {
  css(text, { attribute, without, isAbstract }) {
    const selectors = parseSelectors(text);
    const omitted = without === undefined ? undefined : parseSelectors(without);
    return ({ elements, budget }) => {
      const found = selectElements(selectors, elements, budget);
      if (attribute !== undefined)
        return plainValues(found.map((node) => attributeOf(elements.page, node, attribute.toLowerCase())));
      const left = omitted && new Set(selectElements(omitted, elements, budget));
      return nodeValues(found, elements.page, { budget, isAbstract, ...(left && { without: left }) });
    };
  },
  xpath(text, { isAbstract }) {
    const xpath = compileXPath(text);
    return ({ elements: { page }, budget }) => {
      const found = xpath.select(page, budget);
      return typeof found === "string"
        ? plainValues([found])
        : nodeValues(found, page, { budget, isAbstract });
    };
  },
  meta(text) {
    const name = text.toLowerCase();
    return ({ metas }) =>
      plainValues(metas.filter((meta) => meta.name === name).map(({ content }) => content));
  },
  jsonld: (text, options) => {
    const path = parseJsonPath(text);
    const read = compileJsonReading(options);
    return (page) =>
      read(selectValues(page.jsonLd.nodes, path, { graph: page.jsonLd, budget: page.budget }), page);
  },
  json: (text, options) => {
    const path = parseJsonPath(text);
    const read = compileJsonReading(options);
    return (page) => read(selectValues(page.json, path, { graph: plainGraph, budget: page.budget }), page);
  },
  label(text) {
    const pattern = compilePattern(`(?i)^(?:${text})\\.?$`);
    const steps = estimateSteps(text);
    return ({ labels, budget }) =>
      labels.flatMap(([label, value]) => {
        spendMatch(label, steps, budget);
        return pattern.matches(label) ? [{ text: value }] : [];
      });
  },
  value: (text) => () => [{ text }],
};

/** JSON without the references of JSON-LD. */
const plainGraph = { nodes: [], byId: new Map(), problems: [] };

function plainValues(texts: readonly (string | undefined)[]): FoundValue[] {
  return texts.slice(0, maxCreators).flatMap((each) => {
    const text = plainText(each);
    return text === undefined ? [] : [{ text }];
  });
}

interface NodeOptions {
  budget: CostBudget;
  isAbstract: boolean;
  without?: ReadonlySet<number>;
}

/** Returns the texts of the outermost nodes. */
function nodeValues(nodes: readonly number[], page: PageTree, options: NodeOptions): FoundValue[] {
  const { budget, isAbstract } = options;
  const texts: string[] = [];
  let coveredTo = 0;
  for (const node of nodes) {
    if (node < coveredTo) continue;
    coveredTo = page.ends[node] ?? 0;
    const heading = isAbstract ? headingOf(node, page) : undefined;
    const isOmitted = (element: number) => element === heading || options.without?.has(element) === true;
    texts.push(nodeMarkup(page, node, { isOmitted, maxChars: maxTextChars, budget }));
    if (texts.length >= maxCreators) break;
  }
  return plainValues(texts);
}

/** Returns the element that is a heading and has no text of the node before it. */
function headingOf(node: number, page: PageTree): number | undefined {
  const { kinds, names, ends, text, textStarts } = page;
  for (let at = node + 1; at < (ends[node] ?? 0); at++) {
    if (kinds[at] === nodeKind.text && text.slice(textStarts[at], textStarts[at + 1]).trim() !== "")
      return undefined;
    if (kinds[at] !== nodeKind.element) continue;
    const isLabel = attributeOf(page, at, "class")?.toLowerCase().split(/\s+/).includes("label");
    if (isLabel || /^h[1-6]$/.test(names[at] ?? "")) return at;
  }
  return undefined;
}

function compileJsonReading({ without, given, family, orcid }: Options) {
  const names = new Set(without?.split(",").map((name) => name.trim()));
  const parts = [given, family, orcid].map((path) => (path === undefined ? undefined : parseJsonPath(path)));
  return (values: unknown[], { budget, jsonLd: graph }: ReadablePage): FoundValue[] => {
    const limits = { without: names, maxChars: maxTextChars, budget };
    return values.slice(0, maxCreators).flatMap((value) => {
      const [first, last, id] = parts.map((path) => {
        const [part] = path === undefined ? [] : selectValues([value], path, { graph, budget });
        return plainText(valueMarkup(part, limits));
      });
      if (family !== undefined) return buildPerson({ first, last, id });
      const text = plainText(valueMarkup(value, limits));
      return text === undefined ? [] : [{ text }];
    });
  };
}

function buildPerson({ first, last, id }: Record<"first" | "last" | "id", string | undefined>): FoundValue[] {
  const creator =
    first !== undefined && last !== undefined
      ? buildPersonCreator(first, last)
      : parseCreatorName(last ?? first ?? "");
  if (creator === undefined) return [];
  return [{ text: [last, first].filter(Boolean).join(", "), creator: withOrcid(creator, [id]) }];
}
