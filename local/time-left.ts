/** Describes the remaining time, by the average pace so far; empty if nothing is done yet. */
export function describeTimeLeft({
  done,
  total,
  tookMs,
}: {
  done: number;
  total: number;
  tookMs: number;
}): string {
  if (done === 0 || done > total) return "";
  const seconds = Math.ceil(((tookMs / done) * (total - done)) / 1000);
  if (seconds < 60) return `${seconds} s left`;
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} min left` : `${(seconds / 3600).toFixed(1)} h left`;
}
