import type { Write } from "../../../local/cli/memory/write.ts";
import {
  type ArchiveClaim,
  type ArchiveEntry,
  blockReason,
  keyBlockReason,
} from "../../../shared/records/archive/archive-entry.ts";
import { archiveEntryKey, modeOfKey, titlePlace } from "../../../shared/records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../../shared/records/archive/archive-store.ts";

interface ArchiveState {
  archived: Map<string, ArchiveClaim & Partial<ArchiveEntry>>;
  now: Date;
}

/** The archive in memory. */
export function memoryArchive(memory: ArchiveState, write: Write): ArchiveStore {
  return {
    knownReasons: async (keys) => {
      const reasons = keys.map((key) => {
        const item = memory.archived.get(key);
        const entry = memory.archived.get(item?.entryKey ?? "");
        return [key, item && keyBlockReason(item, entry, memory.now)] as const;
      });
      return new Map(reasons.flatMap(([key, reason]) => (reason === undefined ? [] : [[key, reason]])));
    },
    claim: (key, wanted, at) =>
      write(() => {
        const held = memory.archived.get(key);
        const isFree =
          held === undefined || (held.owner !== wanted.owner && blockReason(held, at) === undefined);
        if (isFree) {
          const {
            keys: _keys,
            error: _error,
            doi: _doi,
            expiresAt: _ended,
            ...kept
          }: Partial<ArchiveEntry> = held ?? {};
          delete kept.pendingUpdate;
          memory.archived.set(key, { ...kept, ...wanted });
        }
        return isFree || held.owner === wanted.owner;
      }),
    claimOf: async (key) => memory.archived.get(key),
    releaseClaim: (key, owner) =>
      write(() => {
        if (memory.archived.get(key)?.owner === owner) memory.archived.delete(key);
      }),
    saveEntry: (entry) =>
      write(() => {
        const held = memory.archived.get(entry.entryKey);
        if (held?.owner === entry.owner && ["claimed", entry.state].includes(held.state))
          memory.archived.set(entry.entryKey, { ...held, ...entry });
      }),
    entry: async (key) => {
      const entry = memory.archived.get(memory.archived.get(key)?.entryKey ?? "");
      return entry?.keys === undefined ? undefined : (entry as ArchiveEntry);
    },
    byTitle: async (beginning, mode, { limit, after }) => {
      const { place = undefined } = titlePlace(beginning, mode) ?? {};
      if (place === undefined) return [];
      const placeOf = ({ title, entryKey }: ArchiveEntry) =>
        `${titlePlace(title, modeOfKey(entryKey))?.place} ${entryKey}`;
      const from =
        after && `${titlePlace(after.title, mode)?.place} ${archiveEntryKey(after.recordId, mode)}`;
      return [...memory.archived]
        .flatMap(([key, item]) =>
          key === item.entryKey && item.keys !== undefined ? [item as ArchiveEntry] : [],
        )
        .filter((entry) => modeOfKey(entry.entryKey) === mode && placeOf(entry).startsWith(place))
        .filter((entry) => from === undefined || placeOf(entry) > from)
        .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
        .slice(0, limit);
    },
    entryKeysOfSource: async function* (sourceId, mode, { from = "", to = "9" }) {
      yield [...memory.archived]
        .filter(
          ([key, item]) => item.sourceId === sourceId && item.at !== undefined && modeOfKey(key) === mode,
        )
        .filter(([, { at = "" }]) => at >= from && at <= `${to}~`)
        .sort(([, a], [, b]) => ((a.at ?? "") < (b.at ?? "") ? -1 : 1))
        .map(([key]) => key);
    },
    reserveUpdate: (entryKey, { owner, recordKey, update, insteadOf }) =>
      write(() => {
        const held = memory.archived.get(entryKey);
        const { pendingUpdate: holder } = held ?? {};
        const isFree = holder === undefined || holder === update || holder === insteadOf;
        if (held?.owner !== owner || held.state !== "automatic" || held.recordKey !== recordKey || !isFree)
          return false;
        memory.archived.set(entryKey, { ...held, pendingUpdate: update });
        return true;
      }),
    saveUpdate: (entryKey, { owner, update, doi, ...entry }) =>
      write(() => {
        const held = memory.archived.get(entryKey);
        if (held?.owner !== owner || held.pendingUpdate !== update) return false;
        const { pendingUpdate: _ended, doi: _former, ...kept } = held;
        memory.archived.set(entryKey, { ...kept, ...entry, ...(doi !== undefined && { doi }) });
        return true;
      }),
    setState: (key, owner, state) =>
      write(() => {
        const held = memory.archived.get(key);
        if (held?.owner !== owner) return;
        const { expiresAt: _ended, ...kept } = held;
        memory.archived.set(key, { ...kept, state });
      }),
  };
}
