import { PageTooLarge, type PageTree } from "./page-tree.ts";

/**
 * The minimum budget of one expression on one page. Looking at a node costs 1, so the budget is about 100 ms. Larger
 * pages get a larger budget, because ordinary rules need more there: folding the case of each element's text costs
 * about 1 per character and level.
 */
const minBudget = 10_000_000;
const budgetPerNodeAndCharacter = 24;

/** The cost per node that a step selects. */
export const nodeFoundCost = 3;

/** The cost per character that a search or a comparison reads. */
export const characterReadCost = 1 / 8;

/** The cost per character that is read and written one by one. */
export const characterWriteCost = 1 / 2;

/** The cost per character that is looked up in a map. */
export const lookupCost = 8;

/** Limits the cost of an evaluation, so that no expression takes seconds on any page. */
export class CostBudget {
  private remaining: number;

  constructor(limit: number) {
    this.remaining = limit;
  }

  /** Returns the budget of one expression on a page. */
  static ofPage({ kinds, text }: PageTree): CostBudget {
    return new CostBudget(Math.max(minBudget, budgetPerNodeAndCharacter * (kinds.length + text.length)));
  }

  /**
   * Spends a cost.
   * @throws {PageTooLarge} when the budget is used up
   */
  spend(cost: number): void {
    this.remaining -= cost;
    if (this.remaining < 0) throw new PageTooLarge("the expression takes too many steps");
  }
}
