import type { Clock } from "./clock.ts";

/** Caches the result of `read` for `maxAgeMs`. A failed read is not cached. */
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

/** Caches the result of `read` for each id for `maxAgeMs`. */
export function cacheEachFor<Value>(
  maxAgeMs: number,
  read: (id: string) => Promise<Value>,
  clock: Pick<Clock, "now">,
): (id: string) => Promise<Value> {
  const byId = new Map<string, () => Promise<Value>>();
  return (id) => {
    const cached = byId.get(id) ?? cacheFor(maxAgeMs, () => read(id), clock);
    byId.set(id, cached);
    return cached();
  };
}
