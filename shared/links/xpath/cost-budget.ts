import { PageTooLarge, type PageTree } from "../page/page-tree.ts";

/**
 * What may be spent for one expression on one page, where looking at a node costs 1: about 100 ms, and more on pages so
 * large that an ordinary rule needs more. Rules that fold the case of each element's text spend about 1 per character and level.
 */
const minBudget = 10_000_000;
const budgetPerNodeAndCharacter = 24;

/** Of a node that a step finds, and keeps. */
export const nodeFoundCost = 3;

/** Of a character that a search or a comparison passes over. */
export const characterReadCost = 1 / 8;

/** Of a character that is read and written by itself. */
export const characterWriteCost = 1 / 2;

/** Of a character that is taken out of its text to be looked up. */
export const lookupCost = 8;

/** Counts what an evaluation costs, so that no pair of expression and page can take seconds. */
export class CostBudget {
  private remaining: number;

  constructor({ kinds, text }: PageTree) {
    this.remaining = Math.max(minBudget, budgetPerNodeAndCharacter * (kinds.length + text.length));
  }

  /** @throws {PageTooLarge} when it has become too much */
  spend(cost: number): void {
    this.remaining -= cost;
    if (this.remaining < 0) throw new PageTooLarge("more steps to look through it than one rule may take");
  }
}
