import { nodeKind, type Page } from "./page.ts";
import type { Comparison } from "./xpath-syntax.ts";
import type { Work } from "./xpath-work.ts";

/** Nodes are given by their numbers, in document order, each once. */
export type Value = number[] | boolean | number | string;

/** Where values of nodes are looked up. */
export interface Lookup {
  page: Page;
  work: Work;
}

/** @see https://www.w3.org/TR/1999/REC-xpath-19991116/#dt-string-value */
export function textOf(node: number, { page, work }: Lookup): string {
  const { kinds, values, ends } = page;
  const kind = kinds[node];
  if (kind !== nodeKind.element && kind !== nodeKind.root) return values[node] ?? "";
  const end = ends[node] ?? 0;
  let text = "";
  for (let at = node + 1; at < end; at++) if (kinds[at] === nodeKind.text) text += values[at];
  work.spend(end - node + (text.length >> 4));
  return text;
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

/** XPath's white space is less than JavaScript's. */
export function trimSpace(text: string): string {
  return text.replace(/^[ \t\r\n]+/, "").replace(/(?<![ \t\r\n])[ \t\r\n]+$/, "");
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
  const lefts = scalarsOf(left, lookup);
  const rights = scalarsOf(right, lookup);
  if (operator === "=" && Array.isArray(left) && Array.isArray(right)) {
    const known = new Set(lefts);
    return rights.some((each) => known.has(each));
  }
  lookup.work.spend(lefts.length * rights.length);
  return lefts.some((a) => rights.some((b) => compareScalars(operator, a, b, lookup)));
}

function scalarsOf(value: Value, lookup: Lookup): (string | number | boolean)[] {
  return Array.isArray(value) ? value.map((node) => textOf(node, lookup)) : [value];
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
