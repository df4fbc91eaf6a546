import { cacheEachFor, cacheFor } from "../../core/cache-for.ts";
import type { Clock } from "../../core/clock.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";

/** The time after which a change of the configuration takes effect. The articles of a source arrive in bursts. */
const cacheMs = 5000;

/**
 * Returns the store with cached items, which are read again only after five seconds, because each article needs three
 * items.
 */
export function recentSources(store: SourceStore, clock: Clock): SourceStore {
  return {
    ...store,
    source: cacheEachFor(cacheMs, store.source, clock),
    group: cacheEachFor(cacheMs, store.group, clock),
    settings: cacheFor(cacheMs, store.settings, clock),
  };
}
