import type { DocumentProblem } from "./source-report.ts";

/** From this number on, problems with one reason are grouped. */
const minGroupSize = 3;

/** The quoted names and values of a reason. */
const quotedText = /"[^"]*"/g;

/**
 * Groups problems with the same reason: their number, and the first of them. Reasons that differ only in quoted text,
 * or in how often they repeat it, count as the same: when a lookup service is down, each author of each article reports
 * it.
 */
export function groupByReason(problems: DocumentProblem[]): DocumentProblem[] {
  const groups = Map.groupBy(problems, ({ reason }) => reasonKey(reason));
  return [...groups].flatMap(([reason, alike]) => {
    const [first] = alike;
    if (first === undefined || alike.length < minGroupSize) return alike;
    return [{ ...first, what: `${alike.length} articles, the first of them ${first.what}`, reason }];
  });
}

function reasonKey(reason: string): string {
  return [...new Set(reason.replace(quotedText, '"…"').split("; "))].join("; ");
}
