import type { SnapshotStore } from "./snapshot-store.ts";

/** Whether a caller means this version of a definition; absent: any. */
export type MeantVersion = ((version: number) => boolean) | undefined;

type Removal = { type: "removed" | "unknown" | "stale" } | { type: "refused"; reason: string };

/**
 * Removes a definition that is not active, has no jobs, and is not continued by another one. A definition that has changed
 * meanwhile is stale, too: its caller has not seen the change.
 */
export async function removeDefinition(
  id: string,
  { snapshots }: { snapshots: Pick<SnapshotStore, "definition" | "definitions" | "remove"> },
  isMeant: MeantVersion,
): Promise<Removal> {
  const stored = await snapshots.definition(id);
  if (stored === undefined) return { type: "unknown" };
  if (isMeant?.(stored.version) === false) return { type: "stale" };
  const { isActive, jobIds } = stored.definition;
  if (isActive) return { type: "refused", reason: `Harvest definition ${id} is active: deactivate it first` };
  if (jobIds.length > 0)
    return { type: "refused", reason: `Harvest definition ${id} has jobs, whose captures are kept` };
  const next = (await snapshots.definitions()).find(({ previous }) => previous === id);
  if (next !== undefined)
    return { type: "refused", reason: `Harvest definition ${next.id} is based on ${id}` };
  return { type: (await snapshots.remove(id, stored.version)) ? "removed" : "stale" };
}
