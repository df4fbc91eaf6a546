import type { ArticleProblem } from "./source-report.ts";

/** From so many on, misses for one reason are told as one. */
const minGroupSize = 3;

/** What a reason quotes: names, values. */
const quotedText = /"[^"]*"/g;

/**
 * Misses with those for one reason told as one, by their number and the first of them. Reasons that differ in what they quote, or in how often
 * they say it, are one: of a lookup that is down each author of each article tells.
 */
export function groupByReason(misses: ArticleProblem[]): ArticleProblem[] {
  const groups = Map.groupBy(misses, ({ reason }) => reasonKey(reason));
  return [...groups].flatMap(([reason, alike]) => {
    const [first] = alike;
    if (first === undefined || alike.length < minGroupSize) return alike;
    return [{ ...first, what: `${alike.length} articles, the first of them ${first.what}`, reason }];
  });
}

function reasonKey(reason: string): string {
  return [...new Set(reason.replace(quotedText, '"…"').split("; "))].join("; ");
}
