import { allItems, searchSet } from "../sets/set-spec.ts";
import { keysAfter } from "./change-key.ts";
import type { ChangeLogReader, ItemVersion, ListPlace, PlannedChanges } from "./change-log.ts";
import { type ItemState, isSameState } from "./item-state.ts";

/** The states of items now. An item without a state is no longer given. */
export type CurrentStates = ReadonlyMap<string, ItemState | undefined>;

/**
 * Plans the changes of items whose state differs from the log.
 * @param seen the key of the last change
 * @param datestamp of these changes, in seconds
 * @returns undefined when nothing has changed
 */
export async function planChanges(
  states: CurrentStates,
  { seen, datestamp }: { seen: string | undefined; datestamp: string },
  log: Pick<ChangeLogReader, "latest" | "lastEntry">,
): Promise<PlannedChanges | undefined> {
  const latest = new Map(
    (await log.latest([...states.keys()], seen ?? "")).map((version) => [version.itemId, version]),
  );
  const changed = [...states].flatMap(([itemId, state]) => {
    const before = latest.get(itemId);
    const after = state ?? (before && withdrawn(before));
    return after === undefined || (before !== undefined && isSameState(before, after))
      ? []
      : [{ before, after }];
  });
  const keys = keysAfter(seen, datestamp, changed.length);
  const [lastKey] = keys.slice(-1);
  if (lastKey === undefined) return undefined;
  const lists = changed.flatMap(({ before, after }) => [
    ...listsOf(after),
    ...Object.keys(before?.places ?? {}),
  ]);
  const sizes = await readSizes(lists, seen, log);
  const newSets = [...sizes].filter(([list, size]) => size === 0 && !isPermanent(list)).map(([list]) => list);
  const versions = changed.map(({ before, after }, index) =>
    nextVersion(before, after, { key: keys[index] ?? lastKey, sizes }),
  );
  return {
    versions,
    replaced: changed.flatMap(({ before }, index) => {
      const next = versions[index];
      if (before === undefined || next === undefined) return [];
      return replacedPlaces(before, next);
    }),
    newSets,
    lastKey,
  };
}

/** Decides whether a list exists before it has items. */
function isPermanent(list: string): boolean {
  return list === allItems || list === searchSet;
}

/** Returns the state of an item that is no longer given. */
function withdrawn({ itemId, sets, contentDigest }: ItemVersion): ItemState {
  return { itemId, isDeleted: true, sets: sets.filter((set) => set !== searchSet), contentDigest };
}

function listsOf({ sets }: ItemState): string[] {
  return [allItems, ...sets];
}

async function readSizes(
  lists: readonly string[],
  seen: string | undefined,
  log: Pick<ChangeLogReader, "lastEntry">,
): Promise<Map<string, number>> {
  const distinct = [...new Set(lists)];
  const entries = await Promise.all(distinct.map((list) => log.lastEntry(list, seen ?? "")));
  return new Map(distinct.map((list, index) => [list, entries[index]?.size ?? 0]));
}

/** @param given.sizes the sizes of the lists, which are counted up */
function nextVersion(
  before: ItemVersion | undefined,
  after: ItemState,
  { key, sizes }: { key: string; sizes: Map<string, number> },
): ItemVersion {
  const places: Record<string, ListPlace> = {};
  for (const list of listsOf(after)) {
    const size = (sizes.get(list) ?? 0) + (before?.places[list] === undefined ? 1 : 0);
    sizes.set(list, size);
    places[list] = { key, size };
  }
  for (const [list, place] of Object.entries(before?.places ?? {})) {
    if (places[list] !== undefined) continue;
    // The entry of an item that has left a set earlier stays where it is.
    places[list] = place.hasLeft ? place : { key, size: sizes.get(list) ?? 0, hasLeft: true };
  }
  return { ...after, key, places };
}

function replacedPlaces(before: ItemVersion, next: ItemVersion): PlannedChanges["replaced"] {
  const { itemId, key } = next;
  const lists = Object.entries(before.places).filter(([list, place]) => next.places[list]?.key !== place.key);
  const byKey = Map.groupBy(lists, ([, place]) => place.key);
  return [...byKey].map(([old, places]) => ({
    itemId,
    key: old,
    next: key,
    lists: places.map(([list]) => list),
  }));
}
