import * as z from "zod";
import { CostBudget } from "../tree/cost-budget.ts";
import type { PageTree } from "../tree/page-tree.ts";
import { evaluate } from "./evaluate.ts";
import { parseXPath } from "./parser.ts";
import { mayContain, requiredTexts } from "./required-texts.ts";
import { toBoolean, toStringValue } from "./values.ts";

/** The maximum length in characters, which is far more than a rule needs. */
const maxLength = 2000;

/** An XPath expression as validated text. */
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
  /** Returns whether a page with this HTML or XML source may match. This is cheaper than parsing the page. */
  mayHit(source: string): boolean;
  /**
   * Returns the value of the expression as text; the text of a node-set is that of its first node.
   * @returns undefined when the value is false as a boolean
   * @throws {PageTooLarge}
   */
  find(page: PageTree): string | undefined;
  /**
   * Returns the nodes of the expression in document order; the text of any other value.
   * @throws {PageTooLarge} when the budget is used up
   */
  select(page: PageTree, budget: CostBudget): number[] | string;
}

/**
 * Compiles an XPath 1.0 expression for many pages.
 * @throws {SyntaxError} that names the problem
 */
export function compileXPath(text: string): XPath {
  const expression = parseXPath(text);
  const required = requiredTexts(expression);
  return {
    text,
    mayHit: (source) => mayContain(source, required),
    find: (page) => {
      const context = { page, budget: CostBudget.ofPage(page), node: 0, position: 1, size: 1 };
      const value = evaluate(expression, context);
      return toBoolean(value) ? toStringValue(value, context) : undefined;
    },
    select: (page, budget) => {
      const context = { page, budget, node: 0, position: 1, size: 1 };
      const value = evaluate(expression, context);
      return Array.isArray(value) ? value : toStringValue(value, context);
    },
  };
}
