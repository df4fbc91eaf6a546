import type { Clock } from "../../core/clock.ts";
import { ThrottledError } from "../../core/errors.ts";
import type { HarvestDefinition } from "./definition.ts";
import type { SnapshotStore, StoredDefinition } from "./snapshot-store.ts";

const maxTries = 5;

const retryAfterMs = 1000;

interface UpdateDefinitionPorts {
  snapshots: Pick<SnapshotStore, "definition" | "replace">;
  clock: Clock;
}

/**
 * Changes a stored definition. If another writer was first, the change is made again.
 * @param change returns the changed definition; an equal definition is not written
 * @returns undefined if the definition does not exist
 * @throws ThrottledError if other writers keep changing the definition
 */
export async function updateDefinition(
  id: string,
  { snapshots, clock }: UpdateDefinitionPorts,
  change: (definition: HarvestDefinition, version: number) => HarvestDefinition,
): Promise<StoredDefinition | undefined> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const stored = await snapshots.definition(id);
    if (stored === undefined) return undefined;
    const changed = change(stored.definition, stored.version);
    if (changed === stored.definition) return stored;
    if (await snapshots.replace(changed, stored.version)) {
      return { definition: changed, version: stored.version + 1 };
    }
  }
  const retryAt = new Date(clock.now().getTime() + retryAfterMs);
  throw new ThrottledError(`other requests are changing the definition ${id}`, retryAt);
}
