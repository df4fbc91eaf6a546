import type { Clock } from "./clock.ts";

/** Reads something anew only when it was read longer ago than `keptMs`; what could not be read is read again at once. */
export function keptFor<Value>(
  keptMs: number,
  read: () => Promise<Value>,
  clock: Pick<Clock, "now">,
): () => Promise<Value> {
  let known: { value: Promise<Value>; untilMs: number } | undefined;
  return () => {
    const nowMs = clock.now().getTime();
    if (known !== undefined && known.untilMs > nowMs) return known.value;
    const now = { value: read(), untilMs: nowMs + keptMs };
    known = now;
    now.value.catch(() => {
      if (known === now) known = undefined;
    });
    return now.value;
  };
}
