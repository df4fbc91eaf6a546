import { PageTooLarge } from "./page.ts";

/** Nodes visited for one expression on one page: a fraction of a second. Ordinary rules visit each node a few times. */
const maxVisits = 20_000_000;

/** Counts what an evaluation costs, so that no pair of expression and page can take minutes. */
export class Work {
  private visits = 0;

  /** @throws {PageTooLarge} when it has become too much */
  spend(visits: number): void {
    this.visits += visits;
    if (this.visits > maxVisits) throw new PageTooLarge(`more than ${maxVisits} steps to look through it`);
  }
}
