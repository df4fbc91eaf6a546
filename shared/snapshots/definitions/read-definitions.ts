import type { HarvestDefinition } from "./definition.ts";
import type { SnapshotStore } from "./snapshot-store.ts";

const readsAtOnce = 16;

/**
 * The maximum length of the seeds in one response and of one definition, because a response of the API has at
 * most 6 MB in total.
 */
export const maxSeedCharacters = 4_000_000;

/**
 * Reads definitions with their seeds, in the order of the ids: as many as fit into a response, but at least
 * one.
 */
export async function readDefinitions(
  ids: readonly string[],
  snapshots: Pick<SnapshotStore, "definition">,
): Promise<HarvestDefinition[]> {
  const definitions: HarvestDefinition[] = [];
  let characters = 0;
  for (let from = 0; from < ids.length; from += readsAtOnce) {
    const stored = await Promise.all(
      ids.slice(from, from + readsAtOnce).map((id) => snapshots.definition(id)),
    );
    for (const { definition } of stored.filter((each) => each !== undefined)) {
      characters += definition.seeds.reduce((sum, url) => sum + url.length, 0);
      if (characters > maxSeedCharacters && definitions.length > 0) return definitions;
      definitions.push(definition);
    }
  }
  return definitions;
}
