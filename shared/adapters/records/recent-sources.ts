import { cacheEachFor, cacheFor } from "../../core/cache-for.ts";
import type { Clock } from "../../core/clock.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";

/** How soon a change of the configuration is seen. The articles of a source come in bursts. */
const cacheMs = 5000;

/** The store, whose single items are read again after five seconds only: each article needs three of them. */
export function recentSources(store: SourceStore, clock: Clock): SourceStore {
  return {
    ...store,
    source: cacheEachFor(cacheMs, store.source, clock),
    group: cacheEachFor(cacheMs, store.group, clock),
    settings: cacheFor(cacheMs, store.settings, clock),
  };
}
