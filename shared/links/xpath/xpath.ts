import { z } from "zod";
import type { PageTree } from "../page/page-tree.ts";
import { CostBudget } from "./cost-budget.ts";
import { evaluate } from "./evaluate.ts";
import { parseXPath } from "./parser.ts";
import { mayContain, requiredTexts } from "./required-texts.ts";
import { toBoolean, toStringValue } from "./values.ts";

/** Far above what a rule needs. */
const maxLength = 2000;

/** An XPath expression as text that is known to be right. */
export const xpathText = z
  .string()
  .max(maxLength)
  .superRefine((text, context) => {
    if (text.trim() === "") return;
    try {
      parseXPath(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
    }
  });

export interface XPath {
  text: string;
  /** Whether a page with this source, HTML or XML, may have a hit at all. */
  mayHit(source: string): boolean;
  /**
   * What the expression finds, as text: of a node its text, or true, a number that is neither 0 nor NaN, a text that is
   * not empty; undefined when it finds nothing.
   * @throws {PageTooLarge}
   */
  find(page: PageTree): string | undefined;
}

/**
 * An XPath 1.0 expression made ready for many pages.
 * @throws {SyntaxError} that says what is wrong
 */
export function compileXPath(text: string): XPath {
  const expression = parseXPath(text);
  const required = requiredTexts(expression);
  return {
    text,
    mayHit: (source) => mayContain(source, required),
    find: (page) => {
      const context = { page, budget: new CostBudget(page), node: 0, position: 1, size: 1 };
      const value = evaluate(expression, context);
      return toBoolean(value) ? toStringValue(value, context) : undefined;
    },
  };
}
