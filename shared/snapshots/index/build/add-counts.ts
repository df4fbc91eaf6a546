/** Adds counts by reason to `sum`, which is changed. */
export function addCounts<Reason extends string>(
  sum: Partial<Record<Reason, number>>,
  more: Partial<Record<Reason, number>>,
): void {
  for (const [reason, count] of Object.entries(more) as [Reason, number][])
    sum[reason] = (sum[reason] ?? 0) + count;
}
