import type { Expression } from "./syntax.ts";

/**
 * Returns texts that the source of a page must contain for the expression to match. Each is the longest run of letters
 * and digits of a text that an attribute is compared with. The source contains attribute values literally, except for
 * character references; the text of an element is not used, because markup may interrupt it. Most pages do not match,
 * and a search takes a hundredth of the time of parsing.
 */
export function requiredTexts(expression: Expression): string[] {
  switch (expression.type) {
    case "path": {
      const { from, predicates, steps } = expression;
      const source = typeof from === "string" ? [] : requiredTexts(from);
      const all = [...predicates, ...steps.flatMap((step) => step.predicates)];
      return [...source, ...all.flatMap(requiredTexts)];
    }
    case "binary": {
      const { operator, left, right } = expression;
      if (operator === "and") return [...requiredTexts(left), ...requiredTexts(right)];
      return operator === "=" ? [...comparedText(left, right), ...comparedText(right, left)] : [];
    }
    case "call": {
      const [first, second] = expression.args;
      if (first === undefined) return [];
      if (expression.name === "boolean") return requiredTexts(first);
      const isSearch = expression.name === "contains" || expression.name === "starts-with";
      return isSearch && second !== undefined ? comparedText(first, second) : [];
    }
    default:
      return [];
  }
}

/** Returns whether a source may contain the texts. Numeric references and `&fjlig;` may hide letters. */
export function mayContain(source: string, texts: readonly string[]): boolean {
  return texts.every((text) => source.includes(text)) || source.includes("&#") || source.includes("&fjlig");
}

function comparedText(attribute: Expression, text: Expression): string[] {
  if (text.type !== "string" || !isAttribute(attribute)) return [];
  const runs = text.value.match(/[A-Za-z0-9]+/g) ?? [];
  return runs.sort((a, b) => b.length - a.length).slice(0, 1);
}

function isAttribute(expression: Expression): boolean {
  return expression.type === "path" && expression.steps.at(-1)?.axis === "attribute";
}
