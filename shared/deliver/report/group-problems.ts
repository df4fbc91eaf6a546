import type { DocumentProblem } from "./source-report.ts";

/** The number of problems with the same reason from which they are grouped. */
const minGroupSize = 3;

/** Matches the quoted names and values in a reason. */
const quotedText = /"[^"]*"/g;

/**
 * Groups problems with the same reason. A group consists of the number of problems and the first of them. Reasons count
 * as the same if they differ only in quoted text, or in the number of repetitions of the same part. For example, when a
 * lookup service is down, each author of each article causes such a problem.
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
