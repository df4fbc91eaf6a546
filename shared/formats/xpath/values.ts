import { type CostBudget, characterReadCost } from "../tree/cost-budget.ts";
import { nodeKind, type PageTree } from "../tree/page-tree.ts";
import { trimSpace } from "./string-functions.ts";
import type { Comparison } from "./syntax.ts";

/** A value of an expression. A node-set is an array of node numbers in document order. */
export type Value = number[] | boolean | number | string;

export interface PageScope {
  page: PageTree;
  budget: CostBudget;
}

/**
 * Returns the string-value of a node without copying it, and spends the cost of reading it.
 * @see https://www.w3.org/TR/1999/REC-xpath-19991116/#dt-string-value
 */
export function stringValue(node: number, { page, budget }: PageScope): string {
  const { kinds, values, ends, text, textStarts } = page;
  const kind = kinds[node];
  const isText = kind === nodeKind.root || kind === nodeKind.element || kind === nodeKind.text;
  const found = isText ? text.slice(textStarts[node], textStarts[ends[node] ?? 0]) : (values[node] ?? "");
  budget.spend(1 + found.length * characterReadCost);
  return found;
}

/** @see https://www.w3.org/TR/1999/REC-xpath-19991116/#function-boolean */
export function toBoolean(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "number" ? value !== 0 && !Number.isNaN(value) : Boolean(value);
}

/** @see https://www.w3.org/TR/1999/REC-xpath-19991116/#function-string */
export function toStringValue(value: Value, lookup: PageScope): string {
  if (Array.isArray(value)) return value[0] === undefined ? "" : stringValue(value[0], lookup);
  return typeof value === "number" ? formatNumber(value) : String(value);
}

/** @see https://www.w3.org/TR/1999/REC-xpath-19991116/#function-number */
export function toNumber(value: Value, lookup: PageScope): number {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  const text = trimSpace(toStringValue(value, lookup));
  return /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
}

/** Formats a number in decimal notation without an exponent. */
function formatNumber(value: number): string {
  const text = String(value);
  const [, sign = "", digit = "", fraction = "", exponent] = /^(-?)(\d)\.?(\d*)e(.+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const digits = digit + fraction;
  const power = Number(exponent);
  return sign + (power > 0 ? digits.padEnd(power + 1, "0") : `0.${"0".repeat(-power - 1)}${digits}`);
}

/**
 * Compares two values. A comparison with a node-set is true if it is true for one of the nodes.
 * @see https://www.w3.org/TR/1999/REC-xpath-19991116/#booleans
 */
export function compare(operator: Comparison, left: Value, right: Value, lookup: PageScope): boolean {
  if (!Array.isArray(left) && !Array.isArray(right)) return compareScalars(operator, left, right, lookup);
  if (typeof left === "boolean" || typeof right === "boolean") {
    return compareScalars(operator, toBoolean(left), toBoolean(right), lookup);
  }
  const isEquality = operator === "=" || operator === "!=";
  if (isEquality && Array.isArray(left) && Array.isArray(right)) {
    return compareTexts(operator, stringValues(left, lookup), stringValues(right, lookup));
  }
  const lefts = isEquality ? scalarsOf(left, lookup) : numbersOf(left, lookup);
  const rights = isEquality ? scalarsOf(right, lookup) : numbersOf(right, lookup);
  lookup.budget.spend(lefts.length * rights.length);
  return lefts.some((a) => rights.some((b) => compareScalars(operator, a, b, lookup)));
}

/** Looks at each text once, instead of at each pair, because texts may be as long as the page. */
function compareTexts(operator: "=" | "!=", lefts: string[], rights: string[]): boolean {
  if (lefts.length === 0 || rights.length === 0) return false;
  const known = new Set(lefts);
  if (operator === "=") return rights.some((each) => known.has(each));
  return known.size > 1 || rights.some((each) => !known.has(each));
}

function stringValues(nodes: number[], lookup: PageScope): string[] {
  return nodes.map((node) => stringValue(node, lookup));
}

function scalarsOf(value: Value, lookup: PageScope): (string | number | boolean)[] {
  return Array.isArray(value) ? stringValues(value, lookup) : [value];
}

function numbersOf(value: Value, lookup: PageScope): number[] {
  return scalarsOf(value, lookup).map((each) => toNumber(each, lookup));
}

function compareScalars(
  operator: Comparison,
  left: string | number | boolean,
  right: string | number | boolean,
  lookup: PageScope,
): boolean {
  if (operator === "=" || operator === "!=") return areEqual(left, right, lookup) === (operator === "=");
  const [a, b] = [toNumber(left, lookup), toNumber(right, lookup)];
  switch (operator) {
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
  }
}

/** Compares two values. Both are converted to boolean if one is a boolean, otherwise to number if one is a number. */
function areEqual(
  left: string | number | boolean,
  right: string | number | boolean,
  lookup: PageScope,
): boolean {
  if (typeof left === "boolean" || typeof right === "boolean") return toBoolean(left) === toBoolean(right);
  if (typeof left === "string" && typeof right === "string") return left === right;
  return toNumber(left, lookup) === toNumber(right, lookup);
}
