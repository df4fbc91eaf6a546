import { cacheFor } from "../../../core/cache-for.ts";
import type { Clock } from "../../../core/clock.ts";
import type { SourceStore } from "../../../sources/source-store.ts";

/** How soon a change of the configuration is seen. The articles of a source come in bursts. */
const cacheMs = 5000;

/** The store, whose single items are read again after five seconds only: each article needs three of them. */
export function recentSources(store: SourceStore, clock: Clock): SourceStore {
  return {
    ...store,
    source: cacheEach(store.source, clock),
    group: cacheEach(store.group, clock),
    settings: cacheFor(cacheMs, store.settings, clock),
  };
}

function cacheEach<Value>(
  read: (id: string) => Promise<Value>,
  clock: Clock,
): (id: string) => Promise<Value> {
  const byId = new Map<string, () => Promise<Value>>();
  return (id) => {
    const cached = byId.get(id) ?? cacheFor(cacheMs, () => read(id), clock);
    byId.set(id, cached);
    return cached();
  };
}
