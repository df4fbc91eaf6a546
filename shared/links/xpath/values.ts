import { nodeKind, type Page } from "../page/page.ts";
import type { Comparison } from "./syntax.ts";
import { trimSpace } from "./texts.ts";
import { readingCost, type Work } from "./work.ts";

/** Nodes are given by their numbers, in document order, each once. */
export type Value = number[] | boolean | number | string;

/** Where values of nodes are looked up. */
export interface Lookup {
  page: Page;
  work: Work;
}

/**
 * The text of a node, without a copy. What is paid for is that it will be read.
 * @see https://www.w3.org/TR/1999/REC-xpath-19991116/#dt-string-value
 */
export function textOf(node: number, { page, work }: Lookup): string {
  const { kinds, values, ends, text, textStarts } = page;
  const kind = kinds[node];
  const isValue = kind === nodeKind.attribute || kind === nodeKind.comment;
  const found = isValue ? (values[node] ?? "") : text.slice(textStarts[node], textStarts[ends[node] ?? 0]);
  work.spend(1 + found.length * readingCost);
  return found;
}

/** @see https://www.w3.org/TR/1999/REC-xpath-19991116/#function-boolean */
export function toBoolean(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "number" ? value !== 0 && !Number.isNaN(value) : Boolean(value);
}

/** @see https://www.w3.org/TR/1999/REC-xpath-19991116/#function-string */
export function toText(value: Value, lookup: Lookup): string {
  if (Array.isArray(value)) return value[0] === undefined ? "" : textOf(value[0], lookup);
  return typeof value === "number" ? numeral(value) : String(value);
}

/** @see https://www.w3.org/TR/1999/REC-xpath-19991116/#function-number */
export function toNumber(value: Value, lookup: Lookup): number {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  const text = trimSpace(toText(value, lookup));
  return /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
}

/** Decimal, without exponent. */
function numeral(value: number): string {
  const text = String(value);
  const [, sign = "", digit = "", fraction = "", exponent] = /^(-?)(\d)\.?(\d*)e(.+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const digits = digit + fraction;
  const power = Number(exponent);
  return sign + (power > 0 ? digits.padEnd(power + 1, "0") : `0.${"0".repeat(-power - 1)}${digits}`);
}

/**
 * Compares two values. Nodes are equal, less and so on when there is one of which it is true.
 * @see https://www.w3.org/TR/1999/REC-xpath-19991116/#booleans
 */
export function compare(operator: Comparison, left: Value, right: Value, lookup: Lookup): boolean {
  if (!Array.isArray(left) && !Array.isArray(right)) return compareScalars(operator, left, right, lookup);
  if (typeof left === "boolean" || typeof right === "boolean") {
    return compareScalars(operator, toBoolean(left), toBoolean(right), lookup);
  }
  const isEquality = operator === "=" || operator === "!=";
  if (isEquality && Array.isArray(left) && Array.isArray(right)) {
    return compareTexts(operator, textsOf(left, lookup), textsOf(right, lookup));
  }
  const lefts = isEquality ? scalarsOf(left, lookup) : numbersOf(left, lookup);
  const rights = isEquality ? scalarsOf(right, lookup) : numbersOf(right, lookup);
  lookup.work.spend(lefts.length * rights.length);
  return lefts.some((a) => rights.some((b) => compareScalars(operator, a, b, lookup)));
}

/** Each text is looked at once, not each pair: texts may be as long as the page. */
function compareTexts(operator: "=" | "!=", lefts: string[], rights: string[]): boolean {
  if (lefts.length === 0 || rights.length === 0) return false;
  const known = new Set(lefts);
  if (operator === "=") return rights.some((each) => known.has(each));
  return known.size > 1 || rights.some((each) => !known.has(each));
}

function textsOf(nodes: number[], lookup: Lookup): string[] {
  return nodes.map((node) => textOf(node, lookup));
}

function scalarsOf(value: Value, lookup: Lookup): (string | number | boolean)[] {
  return Array.isArray(value) ? textsOf(value, lookup) : [value];
}

function numbersOf(value: Value, lookup: Lookup): number[] {
  return scalarsOf(value, lookup).map((each) => toNumber(each, lookup));
}

function compareScalars(
  operator: Comparison,
  left: string | number | boolean,
  right: string | number | boolean,
  lookup: Lookup,
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

/** The simpler type gives way: strings to numbers, both to booleans. */
function areEqual(
  left: string | number | boolean,
  right: string | number | boolean,
  lookup: Lookup,
): boolean {
  if (typeof left === "boolean" || typeof right === "boolean") return toBoolean(left) === toBoolean(right);
  if (typeof left === "string" && typeof right === "string") return left === right;
  return toNumber(left, lookup) === toNumber(right, lookup);
}
