import { combine } from "../../core/combine.ts";
import { archiveByTitleIndex } from "../../names.ts";
import {
  type ArchiveClaim,
  type ArchiveEntry,
  claimableStates,
  keyBlockReason,
} from "../../records/archive/archive-entry.ts";
import { archiveEntryKey, modeOfKey, titlePlace } from "../../records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import { deleteIf, getAll, getItem, queryFirst, updateIf } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";
import { type ItemUpdate, insertAll, maxItems, updateAll } from "../aws/statements.ts";

/** A claim; once the record is described, its whole entry. */
type ArchiveItem = { key: string } & (ArchiveEntry | (ArchiveClaim & { keys?: undefined }));

/**
 * One item per archive key: partition key `key`. Each item names its owner and its state. The item of the entry key
 * describes the record; the record's other items stay `claimed` after its delivery. Expired items count as absent until
 * DynamoDB deletes them.
 */
export function archiveStore(): ArchiveStore {
  const TableName = variable("archiveTable");
  const update = combine(async (updates: ItemUpdate[]) => {
    await updateAll(TableName, updates);
    return updates;
  }, maxItems);
  const insert = combine((items: object[]) => insertAll(TableName, ["key"], items), maxItems);
  const get = (key: string) => getItem<ArchiveItem>({ TableName, Key: { key }, ConsistentRead: true });
  const isOwner = async (key: string, owner: string) => (await get(key))?.owner === owner;
  const take = (key: string, { owner, entryKey, state, expiresAt }: ArchiveClaim, at: Date) =>
    updateIf({
      TableName,
      Key: { key },
      // The last owner's description is removed, except for the delivered file: that delivery has happened.
      UpdateExpression: `SET #owner = :owner, entryKey = :entryKey, #state = :state${expiresAt === undefined ? " REMOVE expiresAt," : ", expiresAt = :expiresAt REMOVE"} #keys, #error, #doi, titlePartition, titlePlace`,
      ConditionExpression: `attribute_not_exists(#key) OR (#owner <> :owner AND (#state IN (${claimableStates.map((_, index) => `:open${index}`).join(", ")}) OR expiresAt <= :at))`,
      ExpressionAttributeNames: {
        "#key": "key",
        "#owner": "owner",
        "#state": "state",
        "#keys": "keys",
        "#error": "error",
        "#doi": "doi",
      },
      ExpressionAttributeValues: {
        ":owner": owner,
        ":entryKey": entryKey,
        ":state": state,
        ...(expiresAt !== undefined && { ":expiresAt": expiresAt }),
        ":at": Math.floor(at.getTime() / 1000),
        ...Object.fromEntries(claimableStates.map((state, index) => [`:open${index}`, state])),
      },
    });

  return {
    async knownReasons(keys, { isConsistent } = { isConsistent: false }) {
      const getStates = (some: string[]) =>
        getAll<Pick<ArchiveItem, "key" | "entryKey" | "state" | "expiresAt">>(TableName, {
          Keys: [...new Set(some)].map((key) => ({ key })),
          ProjectionExpression: "#key, entryKey, #state, expiresAt",
          ConsistentRead: isConsistent,
          ExpressionAttributeNames: { "#key": "key", "#state": "state" },
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
      // Reads before it takes: in a repeat, most keys are the owner's own.
      return (await isOwner(key, owner)) || (await take(key, claim, at)) || isOwner(key, owner);
    },
    claimOf: get,
    async releaseClaim(key, owner) {
      await deleteIf({
        TableName,
        Key: { key },
        ConditionExpression: "#owner = :owner",
        ExpressionAttributeNames: { "#owner": "owner" },
        ExpressionAttributeValues: { ":owner": owner },
      });
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
      const item = await get(key);
      if (item === undefined || item.key === item.entryKey) return entryOf(item);
      return entryOf(await get(item.entryKey));
    },
    async byTitle(beginning, mode, { limit, after }) {
      const found = titlePlace(beginning, mode);
      if (found === undefined) return [];
      const last = after && titlePlace(after.title, mode);
      const items = await queryFirst<ArchiveItem>(
        {
          TableName,
          IndexName: archiveByTitleIndex,
          KeyConditionExpression: "titlePartition = :partition AND begins_with(titlePlace, :place)",
          ExpressionAttributeValues: { ":partition": found.partition, ":place": found.place },
          ...(last && {
            ExclusiveStartKey: {
              titlePartition: last.partition,
              titlePlace: last.place,
              key: archiveEntryKey(after.recordId, mode),
            },
          }),
        },
        limit,
      );
      return items.flatMap((item) => entryOf(item) ?? []);
    },
    async setState(key, owner, state) {
      await updateIf({
        TableName,
        Key: { key },
        UpdateExpression: "SET #state = :state REMOVE expiresAt",
        ConditionExpression: "#owner = :owner",
        ExpressionAttributeNames: { "#state": "state", "#owner": "owner" },
        ExpressionAttributeValues: { ":owner": owner, ":state": state },
      });
    },
  };
}

/** A claimed item has no entry before its record is described. */
function entryOf(item: ArchiveItem | undefined): ArchiveEntry | undefined {
  if (item?.keys === undefined) return undefined;
  const { key: _key, ...entry } = item;
  const {
    titlePartition: _partition,
    titlePlace: _place,
    ...described
  } = entry as ArchiveEntry & {
    titlePartition?: string;
    titlePlace?: string;
  };
  return described;
}
