import { budgets } from "../../core/budgets.ts";
import { truncateText, truncateToBytes } from "../../core/truncate-text.ts";
import type { DocumentOutcome, SourceOutcome } from "./run.ts";

/** Returns the dropped entries that are stored, each shortened, and an item with the number of the others. */
export function truncateDropped(dropped: SourceOutcome["dropped"]): SourceOutcome["dropped"] {
  // The additional item is the number of the others, so a list that is shortened again does not change.
  const most = dropped.length <= budgets.droppedEntries + 1 ? dropped.length : budgets.droppedEntries;
  const first = dropped.slice(0, most).map(({ entry, reason, count }) => ({
    ...(count !== undefined && { count }),
    entry: truncateToBytes(entry, budgets.droppedEntryBytes),
    reason: truncateToBytes(reason, budgets.droppedReasonBytes),
  }));
  const rest = dropped.slice(most).reduce((sum, { count = 1 }) => sum + count, 0);
  return rest === 0
    ? first
    : [...first, { entry: `${rest} more entries`, reason: "not requested either", count: rest }];
}

/** Shortens the outcome of a listing, which is stored as one item, by limiting its texts. */
export function shortenSourceOutcome(outcome: SourceOutcome): SourceOutcome {
  const { reason, emptyReason, title, dropped } = outcome;
  return {
    ...outcome,
    title: truncateText(title),
    ...(reason !== undefined && { reason: truncateToBytes(reason, budgets.reasonBytes) }),
    ...(emptyReason !== undefined && { emptyReason: truncateToBytes(emptyReason, budgets.reasonBytes) }),
    dropped: truncateDropped(dropped),
  };
}

/**
 * Shortens the outcome of a document, which is stored as one item, by limiting its texts. The lengths of its URLs are
 * already limited.
 */
export function shortenDocumentOutcome(outcome: DocumentOutcome): DocumentOutcome {
  const title = outcome.title === undefined ? {} : { title: truncateText(outcome.title) };
  return "reason" in outcome
    ? { ...outcome, ...title, reason: truncateToBytes(outcome.reason, budgets.reasonBytes) }
    : { ...outcome, ...title };
}
