import type { Clock } from "./clock.ts";

/** Reads something anew only when it was read longer ago than `keptMs`; what could not be read is read again at once. */
export function cacheFor<Value>(
  maxAgeMs: number,
  read: () => Promise<Value>,
  clock: Pick<Clock, "now">,
): () => Promise<Value> {
  let cached: { value: Promise<Value>; untilMs: number } | undefined;
  return () => {
    const nowMs = clock.now().getTime();
    if (cached !== undefined && cached.untilMs > nowMs) return cached.value;
    const now = { value: read(), untilMs: nowMs + maxAgeMs };
    cached = now;
    now.value.catch(() => {
      if (cached === now) cached = undefined;
    });
    return now.value;
  };
}
