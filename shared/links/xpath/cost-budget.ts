import { PageTooLarge, type PageTree } from "../page/page-tree.ts";

/**
 * The budget of one expression on one page; looking at a node costs 1. It is about 100 ms, and more on pages so large that
 * ordinary rules need more: folding the case of each element's text costs about 1 per character and level.
 */
const minBudget = 10_000_000;
const budgetPerNodeAndCharacter = 24;

/** Per node that a step selects. */
export const nodeFoundCost = 3;

/** Per character that a search or a comparison reads. */
export const characterReadCost = 1 / 8;

/** Per character that is read and written one by one. */
export const characterWriteCost = 1 / 2;

/** Per character that is looked up in a map. */
export const lookupCost = 8;

/** Limits the cost of an evaluation, so that no expression takes seconds on any page. */
export class CostBudget {
  private remaining: number;

  constructor({ kinds, text }: PageTree) {
    this.remaining = Math.max(minBudget, budgetPerNodeAndCharacter * (kinds.length + text.length));
  }

  /** @throws {PageTooLarge} when the budget is used up */
  spend(cost: number): void {
    this.remaining -= cost;
    if (this.remaining < 0) throw new PageTooLarge("the XPath takes too many steps");
  }
}
