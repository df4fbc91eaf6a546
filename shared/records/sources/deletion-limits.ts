import type { Source } from "./source.ts";

/** The limits on deletions after one list of a source, and on the requests that check them. */
export type DeletionLimits = Source["deletions"];

/** Returns whether the number of deletions exceeds both limits. Such deletions are held until an operator decides. */
export function exceedsLimits(
  { maxDocuments, maxPercent }: Pick<DeletionLimits, "maxDocuments" | "maxPercent">,
  { documents, of }: { documents: number; of: number },
): boolean {
  return documents > Math.max(maxDocuments, (of * maxPercent) / 100);
}
