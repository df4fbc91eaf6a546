import { xmlNamespace } from "../../xml/namespaces.ts";
import { characterReadCost, characterWriteCost, lookupCost } from "../tree/cost-budget.ts";
import { nodeKind, type PageTree } from "../tree/page-tree.ts";
import type { FunctionName } from "./functions.ts";
import { hasSurrogates, lengthOf, normalizeSpace, substring, translation } from "./string-functions.ts";
import { type PageScope, stringValue, toBoolean, toNumber, toStringValue, type Value } from "./values.ts";

/** The context of an evaluation. Positions count from 1. */
export interface EvaluationContext extends PageScope {
  node: number;
  position: number;
  size: number;
}

type Implementation = (context: EvaluationContext, args: Value[]) => Value;

/**
 * Computes the value of a core function. The parser has checked the arguments.
 * @see https://www.w3.org/TR/1999/REC-xpath-19991116/#corelib
 */
export function callFunction(name: FunctionName, context: EvaluationContext, args: Value[]): Value {
  return implementations[name](context, args);
}

const implementations: Record<FunctionName, Implementation> = {
  last: ({ size }) => size,
  position: ({ position }) => position,
  count: (_context, [nodes]) => nodeList(nodes).length,
  id: (context, [wanted = ""]) => elementsById(context, wanted),
  "local-name": localNameOf,
  name: (context, [nodes]) => {
    const node = nodeToName(context, nodes);
    return context.page.prefixedNames.get(node) ?? context.page.names[node] ?? "";
  },
  "namespace-uri": (context, [nodes]) => context.page.namespaces.get(nodeToName(context, nodes)) ?? "",
  string: (context, [value]) => argumentOrOwnText(context, value),
  concat: (context, args) => {
    const parts = args.map((arg) => toStringValue(arg, context));
    context.budget.spend(characterWriteCost * parts.reduce((length, part) => length + part.length, 0));
    return parts.join("");
  },
  "starts-with": (context, args) => {
    const [text, start] = texts(context, args);
    return text.startsWith(start);
  },
  contains: (context, args) => {
    const [text, part] = texts(context, args);
    spendSearch(context, text, part);
    return text.includes(part);
  },
  "substring-before": (context, args) => {
    const [text, mark] = texts(context, args);
    spendSearch(context, text, mark);
    return text.slice(0, Math.max(0, text.indexOf(mark)));
  },
  "substring-after": (context, args) => {
    const [text, mark] = texts(context, args);
    spendSearch(context, text, mark);
    const at = text.indexOf(mark);
    return at === -1 ? "" : text.slice(at + mark.length);
  },
  substring: (context, [text = "", from = 1, length]) => {
    const first = Math.round(toNumber(from, context));
    // Without a length there is no end, even from -Infinity, where a sum with Infinity would be NaN.
    const end =
      length === undefined ? Number.POSITIVE_INFINITY : first + Math.round(toNumber(length, context));
    return substring(spendRead(toStringValue(text, context), context), first, end);
  },
  "string-length": (context, [value]) => lengthOf(spendRead(argumentOrOwnText(context, value), context)),
  "normalize-space": (context, [value]) =>
    normalizeSpace(spendRead(argumentOrOwnText(context, value), context)),
  translate: (context, args) => translate(context, ...texts(context, args)),
  boolean: (_context, [value = ""]) => toBoolean(value),
  not: (_context, [value = ""]) => !toBoolean(value),
  true: () => true,
  false: () => false,
  lang: (context, [wanted = ""]) => hasLanguage(context, toStringValue(wanted, context)),
  number: (context, [value = [context.node]]) => toNumber(value, context),
  sum: (context, [nodes]) =>
    nodeList(nodes).reduce((sum, node) => sum + toNumber(stringValue(node, context), context), 0),
  floor: (context, [value = ""]) => Math.floor(toNumber(value, context)),
  ceiling: (context, [value = ""]) => Math.ceil(toNumber(value, context)),
  // -2.5 is rounded to -2, as in XPath.
  round: (context, [value = ""]) => Math.round(toNumber(value, context)),
};

function nodeList(value: Value | undefined): number[] {
  return Array.isArray(value) ? value : [];
}

function texts(context: EvaluationContext, args: Value[]): [string, string, string] {
  const [a = "", b = "", c = ""] = args;
  return [toStringValue(a, context), toStringValue(b, context), toStringValue(c, context)];
}

function argumentOrOwnText(context: EvaluationContext, value: Value | undefined): string {
  return value === undefined ? stringValue(context.node, context) : toStringValue(value, context);
}

function localNameOf(context: EvaluationContext, [nodes]: Value[]): string {
  return context.page.names[nodeToName(context, nodes)] ?? "";
}

/** Returns the context node or the first node of the argument; for an empty node-set the root, which has no name. */
function nodeToName({ node }: EvaluationContext, nodes: Value | undefined): number {
  return nodes === undefined ? node : (nodeList(nodes)[0] ?? 0);
}

/** Spends the cost of reading and writing a text character by character. */
function spendRead(text: string, { budget }: EvaluationContext): string {
  budget.spend(text.length * characterWriteCost);
  return text;
}

/** Spends the cost of the worst case, in which a search compares a large part of the wanted text at each position. */
function spendSearch({ budget }: EvaluationContext, text: string, wanted: string): void {
  budget.spend(text.length * characterReadCost * (1 + wanted.length / 8));
}

function translate(context: EvaluationContext, text: string, from: string, to: string): string {
  const needsLookup = hasSurrogates(from) || hasSurrogates(to);
  context.budget.spend(from.length + to.length + (needsLookup ? text.length * lookupCost : 0));
  return translation(from, to)(spendRead(text, context));
}

function elementsById(context: EvaluationContext, wanted: Value): number[] {
  const { kinds, names, values, parents } = context.page;
  const lists = Array.isArray(wanted)
    ? wanted.map((node) => stringValue(node, context))
    : [toStringValue(wanted, context)];
  for (const list of lists) context.budget.spend(list.length * lookupCost);
  const ids = new Set(lists.flatMap((text) => text.split(/[ \t\r\n]+/)).filter((id) => id !== ""));
  const elements: number[] = [];
  context.budget.spend(kinds.length);
  for (const [at, name] of names.entries()) {
    // If several elements have the same id, the first one counts.
    if (name === "id" && kinds[at] === nodeKind.attribute && ids.delete(values[at] ?? "")) {
      elements.push(parents[at] ?? 0);
    }
  }
  return elements;
}

/** Decides by the nearest `xml:lang` attribute, or `lang` in HTML. `en-GB` counts as `en`. */
function hasLanguage({ page, node, budget }: EvaluationContext, wanted: string): boolean {
  for (let at = node; at > 0; at = page.parents[at] ?? 0) {
    budget.spend(lookupCost);
    const language = languageOf(page, at)?.toLowerCase();
    if (language !== undefined) {
      return language === wanted.toLowerCase() || language.startsWith(`${wanted.toLowerCase()}-`);
    }
  }
  return false;
}

function languageOf(
  { isHtml, kinds, names, namespaces, values, parents }: PageTree,
  element: number,
): string | undefined {
  for (let at = element + 1; kinds[at] === nodeKind.attribute && parents[at] === element; at++) {
    if (names[at] === "lang" && (isHtml || namespaces.get(at) === xmlNamespace)) return values[at];
  }
  return undefined;
}
