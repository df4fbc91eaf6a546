import type { Clock } from "../../../core/clock.ts";
import { ThrottledError } from "../../../core/errors.ts";
import { withLease } from "../../../core/lease.ts";
import type { ConfigurationItem } from "../configuration.ts";
import { type ConfigurationChange, differingFields } from "./configuration-changes.ts";
import type { ConfigurationHistory, RecordedChange } from "./configuration-store.ts";
import {
  applyChange,
  applyInSteps,
  type ImportPorts,
  importLeaseKey,
  importLeaseMs,
  nextVersion,
} from "./import-configuration.ts";

export interface RollBackPorts extends ImportPorts {
  configurationHistory: ConfigurationHistory;
  clock: Pick<Clock, "now">;
}

/** An item that the rollback leaves unchanged. */
interface KeptItem extends Pick<ConfigurationItem, "kind" | "id"> {
  reason: string;
}

type RollBackOutcome =
  | {
      type: "rolled-back";
      /** Absent when nothing changed, or when nothing was to be written. */
      version?: number;
      changes: ConfigurationChange[];
      kept: KeptItem[];
    }
  | { type: "unknown" }
  /** Another import has been made since. */
  | { type: "not-latest"; latest: number }
  | { type: "in-progress"; by: string };

const maxRounds = 5;
const retryAfterMs = 10_000;

/**
 * Reverts the latest import: added items are removed, and changed or removed items are restored. An item that has been
 * written since the import is unchanged. The rollback is a separate version, which can also be rolled back.
 * @throws ThrottledError when concurrent requests keep changing the same items
 */
export async function rollBack(
  version: number,
  { dryRun, by }: { dryRun: boolean; by: string },
  ports: RollBackPorts,
): Promise<RollBackOutcome> {
  const { configuration: store, configurationHistory: history, leases, clock } = ports;
  const latest = await store.latestVersion();
  if (version > latest || version < 1) return { type: "unknown" };
  if (version !== latest) return { type: "not-latest", latest };
  const compare = async () => undoOf(version, await history.changesOf(version), await store.items());
  const found = await compare();
  if (dryRun || found.changes.length === 0) return { type: "rolled-back", ...found };
  const importedAt = clock.now().toISOString();
  const work = await withLease(
    { key: importLeaseKey, forMs: importLeaseMs, note: { by, since: importedAt } },
    { leases, clock },
    async (extend): Promise<RollBackOutcome> => {
      const of = (type: string) => found.changes.filter((change) => change.type === type).length;
      const counts = { importedAt, added: of("added"), changed: of("changed"), removed: of("removed") };
      const next = await nextVersion(store, counts, (stored) => stored === version);
      if (next === undefined) return { type: "not-latest", latest: await store.latestVersion() };
      for (let round = 1, left = found.changes; round <= maxRounds; round += 1) {
        const apply = (change: ConfigurationChange) => applyChange(change, next, ports);
        if (await applyInSteps(left, { apply, hold: extend }))
          return { type: "rolled-back", version: next, ...found };
        left = (await compare()).changes;
      }
      const retryAt = new Date(clock.now().getTime() + retryAfterMs);
      throw new ThrottledError("other requests keep changing the configuration: roll back again", retryAt);
    },
  );
  if (work.type === "done") return work.result;
  return { type: "in-progress", by: work.lease.note?.by ?? "" };
}

/** Returns the changes that revert a version, and the items that are unchanged. */
function undoOf(
  version: number,
  recorded: readonly RecordedChange[],
  stored: readonly ConfigurationItem[],
): { changes: ConfigurationChange[]; kept: KeptItem[] } {
  const now = new Map(stored.map((item) => [`${item.kind} ${item.id}`, item]));
  const changes: ConfigurationChange[] = [];
  const kept: KeptItem[] = [];
  for (const { type, kind, id, before } of recorded) {
    const current = now.get(`${kind} ${id}`);
    const keep = (reason: string) => kept.push({ kind, id, reason });
    if (type === "removed") {
      if (current !== undefined) keep("it was added again after the import");
      else if (before !== undefined) changes.push({ type: "added", item: before });
    } else if (current === undefined) keep("it was removed after the import");
    else if (current.version !== version || current.revision !== (before?.revision ?? 0) + 1)
      keep("it was changed after the import");
    else if (before !== undefined) {
      const fields = differingFields(current.value, before.value);
      changes.push({ type: "changed", item: before, before: current, fields });
    } else changes.push({ type: "removed", item: current });
  }
  const isNeeded = neededGroups(changes, stored);
  const [needed, others] = partition(changes, ({ type, item }) => type === "removed" && isNeeded(item));
  const needing = needed.map(({ item: { kind, id } }) => ({
    kind,
    id,
    reason: "a source that is kept needs it",
  }));
  return { changes: others, kept: [...kept, ...needing] };
}

/** Returns a function that decides whether an item is the group of a source that is kept. */
function neededGroups(
  changes: readonly ConfigurationChange[],
  stored: readonly ConfigurationItem[],
): (item: ConfigurationItem) => boolean {
  const removed = new Set(changes.filter(({ type }) => type === "removed").map(({ item }) => item.id));
  const staying = stored.filter(({ kind, id }) => kind === "source" && !removed.has(id));
  const groups = new Set(staying.map(({ value }) => value.groupId));
  return ({ kind, id }) => kind === "group" && groups.has(id);
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
