import { archiveBySourceIndex, archiveByTitleIndex } from "../../names.ts";
import {
  type ArchiveClaim,
  type ArchiveEntry,
  claimableStates,
  keyBlockReason,
} from "../../records/archive/archive-entry.ts";
import { archiveEntryKey, modeOfKey, titlePlace } from "../../records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import { assignments, expression, given, list } from "../aws/expression.ts";
import { combinedInserts, combinedUpdates } from "../aws/statements.ts";
import { table } from "../aws/table.ts";

/** A claim or, after the record is described, the complete entry. */
type ArchiveItem = { key: string } & (ArchiveEntry | (ArchiveClaim & { keys?: undefined }));

/**
 * Stores one item per archive key. Each item names its owner and its state. The item of the entry key describes the
 * record. The other items of the record stay `claimed` after its delivery. Expired items count as absent until DynamoDB
 * deletes them.
 */
export function archiveStore(): ArchiveStore {
  const archive = table<ArchiveItem>({
    variable: "archiveTable",
    key: (key) => ({ key }),
    hidden: ["titlePartition", "titlePlace"],
  });
  const update = combinedUpdates(archive.name);
  const insert = combinedInserts(archive.name, ["key"]);
  const isOwner = async (key: string, owner: string) => (await archive.get(key))?.owner === owner;
  const take = (key: string, { owner, entryKey, state, expiresAt }: ArchiveClaim, at: Date) => {
    const isOpen = expression`state IN (${list(claimableStates)}) OR expiresAt <= ${Math.floor(at.getTime() / 1000)}`;
    const expires = given(expiresAt, (value) => expression`, expiresAt = ${value}`);
    const never = expiresAt === undefined ? expression`expiresAt, ` : expression``;
    return archive.updateIf(
      key,
      // The description by the previous owner is removed, except for the delivered file, because that delivery remains
      // a fact.
      expression`SET owner = ${owner}, entryKey = ${entryKey}, state = ${state}${expires} REMOVE ${never}keys, error, doi, titlePartition, titlePlace, pendingUpdate`,
      expression`attribute_not_exists(key) OR (owner <> ${owner} AND (${isOpen}))`,
    );
  };

  return {
    async knownReasons(keys, { isConsistent } = { isConsistent: false }) {
      const getStates = (some: string[]) =>
        archive.getMany([...new Set(some)], {
          isConsistent,
          attributes: ["key", "entryKey", "state", "expiresAt"],
        });
      const items = await getStates(keys);
      const claimed = items.filter(({ key, entryKey, state }) => state === "claimed" && key !== entryKey);
      const entries = await getStates(claimed.map(({ entryKey }) => entryKey));
      const entriesByKey = new Map(entries.map((entry) => [entry.key, entry]));
      const now = new Date();
      return new Map(
        items.flatMap((item) => {
          const reason = keyBlockReason(item, entriesByKey.get(item.entryKey), now);
          return reason === undefined ? [] : [[item.key, reason]];
        }),
      );
    },
    async claim(key, claim, at) {
      const { owner, entryKey, state, expiresAt } = claim;
      if (await insert({ key, owner, entryKey, state, expiresAt })) return true;
      // The item is read before it is claimed, because in a repeat most keys already belong to the owner.
      return (await isOwner(key, owner)) || (await take(key, claim, at)) || isOwner(key, owner);
    },
    claimOf: (key) => archive.get(key),
    async releaseClaim(key, owner) {
      await archive.deleteIf(key, expression`owner = ${owner}`);
    },
    async saveEntry({ entryKey, owner, ...known }) {
      const mode = modeOfKey(entryKey);
      const { partition: titlePartition, place: titlePlaceOf } = titlePlace(known.title, mode) ?? {};
      const listed = titlePartition === undefined ? {} : { titlePartition, titlePlace: titlePlaceOf };
      await update({
        key: { key: entryKey },
        set: { ...known, ...listed },
        where: ['"owner" = ? AND ("state" = ? OR "state" = ?)', owner, "claimed", known.state],
      });
    },
    async entry(key) {
      const item = await archive.get(key);
      if (item === undefined || item.key === item.entryKey) return entryOf(item);
      return entryOf(await archive.get(item.entryKey));
    },
    async byTitle(beginning, mode, { limit, after }) {
      const found = titlePlace(beginning, mode);
      if (found === undefined) return [];
      const last = after && titlePlace(after.title, mode);
      const where = expression`titlePartition = ${found.partition} AND begins_with(titlePlace, ${found.place})`;
      const start = last && {
        titlePartition: last.partition,
        titlePlace: last.place,
        key: archiveEntryKey(after.recordId, mode),
      };
      const items = await archive.query({ index: archiveByTitleIndex, where, after: start }).first(limit);
      return items.flatMap((item) => entryOf(item) ?? []);
    },
    async *entryKeysOfSource(sourceId, mode, { from = "", to = "9" }) {
      // The times of a day begin with the day, and "~" follows all of their characters.
      const where = expression`sourceId = ${sourceId} AND at BETWEEN ${from || "0"} AND ${`${to}~`}`;
      const entries = archive.query<{ key: string }>({ index: archiveBySourceIndex, where });
      for await (const page of entries.pages())
        yield page.map(({ key }) => key).filter((key) => modeOfKey(key) === mode);
    },
    reserveUpdate: (entryKey, { owner, recordKey, update: reconversionId, insteadOf }) => {
      const other = given(insteadOf, (holder) => expression` OR pendingUpdate = ${holder}`);
      return archive.updateIf(
        entryKey,
        expression`SET pendingUpdate = ${reconversionId}`,
        expression`owner = ${owner} AND state = ${"automatic"} AND recordKey = ${recordKey} AND (attribute_not_exists(pendingUpdate) OR pendingUpdate = ${reconversionId}${other})`,
      );
    },
    saveUpdate(entryKey, { owner, update: reconversionId, doi, ...entry }) {
      const { partition: titlePartition, place } = titlePlace(entry.title, modeOfKey(entryKey)) ?? {};
      const listed = titlePartition === undefined ? {} : { titlePartition, titlePlace: place };
      const withoutDoi = doi === undefined ? expression`, doi` : expression``;
      return archive.updateIf(
        entryKey,
        expression`SET ${assignments({ ...entry, ...listed, doi })} REMOVE pendingUpdate${withoutDoi}`,
        expression`owner = ${owner} AND pendingUpdate = ${reconversionId}`,
      );
    },
    async setState(key, owner, state) {
      await archive.updateIf(
        key,
        expression`SET state = ${state} REMOVE expiresAt`,
        expression`owner = ${owner}`,
      );
    },
  };
}

/** A claimed item has no entry until its record is described. */
function entryOf(item: ArchiveItem | undefined): ArchiveEntry | undefined {
  if (item?.keys === undefined) return undefined;
  const { key: _key, ...entry } = item;
  return entry;
}
