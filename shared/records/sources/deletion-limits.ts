import type { Source } from "./source.ts";

/** What one list of a source may delete, and how many questions may follow it. */
export type DeletionLimits = Source["deletions"];

/** Whether these deletions are above both limits: they are held until an operator decides. */
export function exceedsLimits(
  { maxDocuments, maxPercent }: Pick<DeletionLimits, "maxDocuments" | "maxPercent">,
  { documents, of }: { documents: number; of: number },
): boolean {
  return documents > Math.max(maxDocuments, (of * maxPercent) / 100);
}
