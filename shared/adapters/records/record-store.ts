import { combine } from "../../core/combine.ts";
import { digest } from "../../core/digest.ts";
import type { MarcRecord } from "../../marc/record.ts";
import { objectKeys } from "../../names.ts";
import { keptVersions, type RecordStore, type StoredRecord } from "../../records/documents/stored-record.ts";
import type { RunMode } from "../../records/runs/run.ts";
import { buildSetExpression, getItem, updateIf, updateIfReading } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";
import { getJson, getObjectRange, putJson } from "../aws/s3.ts";
import { type ItemUpdate, insertAll, maxItems, updateAll } from "../aws/statements.ts";
import { placeOf, recordPages } from "./record-pages.ts";

/** Which stored records a run of the mode may overwrite. */
const overwriteConditions: Record<RunMode, string> = {
  LIVE: "(#deliveryMode <> :deliveryMode OR #state <> :delivered)",
  TEST: "#deliveryMode IN (:deliveryMode, :none) AND #state <> :delivered",
  NONE: "#deliveryMode IN (:deliveryMode, :none) AND #state <> :delivered",
};

/** A record, with the attributes that link checking and the API store in the same item. */
type RecordItem = StoredRecord &
  Partial<
    Record<"link" | "checkRequestedAt" | "firstRunId" | "listedIn" | "linkState" | "linkStateAt", unknown>
  > & { [earlierVersion: `earlier${string}`]: unknown };

/** The attributes that hold the key and the time of the versions that were replaced, newest first. */
const earlierVersions = Array.from({ length: keptVersions - 1 }, (_, index) => ({
  key: `earlierKey${index + 1}` as const,
  at: `earlierAt${index + 1}` as const,
}));

/** Moves each version one further, in the update that replaces the present one; the last one is forgotten. */
const shiftVersions = earlierVersions
  .flatMap(({ key, at }, index) => {
    const newer = earlierVersions[index - 1] ?? { key: "recordKey", at: "updatedAt" };
    return [
      `${key} = if_not_exists(${newer.key}, :noVersion)`,
      `${at} = if_not_exists(${newer.at}, :noVersion)`,
    ];
  })
  .join(", ");

/** Records that are stored at the same time and so share an object. */
const maxTogether = 50;

/** @param options.readsMany the function reads all records of a run; see `recordPages` */
export function recordStore({ readsMany = false } = {}): RecordStore {
  const TableName = variable("recordsTable");
  const storeTogether = combine(storeRecords, maxTogether);
  const insert = combine((items: object[]) => insertAll(TableName, ["recordId"], items), maxItems);
  const update = combine(async (updates: ItemUpdate[]) => {
    await updateAll(TableName, updates);
    return updates;
  }, maxItems);
  return {
    storeMarc: (recordId, record) => storeTogether({ recordId, record }),
    storeMarcs: storePage,
    loadMarc: readsMany ? recordPages() : loadRecord,
    async save(record) {
      const { recordId, ...attributes } = record;
      const { runId: firstRunId, collectionId: listedIn } = record;
      if (await insert({ ...record, firstRunId, listedIn })) return true;
      const { set, names, values } = buildSetExpression(attributes);
      const replace = (more: string, condition: string) =>
        updateIfReading(
          {
            TableName,
            Key: { recordId },
            UpdateExpression: `${set}, ${shiftVersions}, firstRunId = if_not_exists(firstRunId, :runId)${more} REMOVE findings, deliveryFile`,
            ConditionExpression: `attribute_not_exists(recordId) OR (#runId <> :runId AND ${overwriteConditions[record.deliveryMode]}${condition})`,
            ExpressionAttributeNames: names,
            ExpressionAttributeValues: {
              ...values,
              ":delivered": "delivered",
              ":noVersion": null,
              ...(record.deliveryMode !== "LIVE" && { ":none": "NONE" }),
            },
          },
          "firstRunId",
        );
      // A record that link checking has deleted stays out of the list of its collection.
      const listed = await replace(", listedIn = :collectionId", " AND attribute_exists(listedIn)");
      const { text: first } = listed.isWritten ? listed : await replace("", "");
      return first === record.runId;
    },
    async setState({ recordId, deliveryMode }, state, { findings, deliveryFile } = {}) {
      await update({
        key: { recordId },
        set: { state, updatedAt: new Date().toISOString(), findings, deliveryFile },
        where: ['"deliveryMode" = ? AND "state" <> ? AND "state" <> ?', deliveryMode, "delivered", state],
      });
    },
    async resetDelivered({ recordId, deliveryMode }) {
      await updateIf({
        TableName,
        Key: { recordId },
        UpdateExpression: "SET #state = :harvested, updatedAt = :now REMOVE deliveryFile",
        ConditionExpression: "#mode = :mode AND #state = :delivered",
        ExpressionAttributeNames: { "#state": "state", "#mode": "deliveryMode" },
        ExpressionAttributeValues: {
          ":mode": deliveryMode,
          ":harvested": "harvested",
          ":delivered": "delivered",
          ":now": new Date().toISOString(),
        },
      });
    },
    async get(recordId) {
      const item = await getItem<RecordItem>({ TableName, Key: { recordId } });
      if (item === undefined) return undefined;
      const {
        link: _link,
        checkRequestedAt: _requestedAt,
        linkState: _state,
        linkStateAt: _stateAt,
        ...harvested
      } = item;
      const { firstRunId: _first, listedIn: _listed, ...record } = harvested;
      for (const { key, at } of earlierVersions) {
        delete record[key];
        delete record[at];
      }
      return record;
    },
    async versions(recordId) {
      const item = await getItem<RecordItem>({ TableName, Key: { recordId } });
      if (item === undefined) return [];
      const earlier = earlierVersions.flatMap(({ key, at }) => {
        const recordKey = item[key];
        return typeof recordKey === "string" ? [{ recordKey, at: String(item[at]) }] : [];
      });
      return [{ recordKey: item.recordKey, at: item.updatedAt }, ...earlier];
    },
  };
}

/** Each new object is billed as much as 40 KiB that are written to a table. */
async function storeRecords(some: { recordId: string; record: MarcRecord }[]): Promise<string[]> {
  const [only] = some;
  if (some.length > 1 || only === undefined) return storePage(some.map(({ record }) => record));
  const json = JSON.stringify(only.record);
  const key = objectKeys.record(only.recordId, digest(json));
  await putJson(variable("recordsBucket"), key, json);
  return [key];
}

async function storePage(records: MarcRecord[]): Promise<string[]> {
  if (records.length === 0) return [];
  const lines = records.map((record) => `${JSON.stringify(record)}\n`);
  const json = lines.join("");
  const key = objectKeys.recordPage(digest(json));
  await putJson(variable("recordsBucket"), key, json);
  let start = 0;
  return lines.map((line) => {
    const length = Buffer.byteLength(line);
    const recordKey = `${key}#${start}-${length}`;
    start += length;
    return recordKey;
  });
}

async function loadRecord(recordKey: string): Promise<MarcRecord> {
  const bucket = variable("recordsBucket");
  const { key, start, length } = placeOf(recordKey);
  if (start === undefined || length === undefined) return getJson<MarcRecord>(bucket, key);
  const bytes = await getObjectRange(bucket, key, [start, length]);
  return JSON.parse(new TextDecoder().decode(bytes));
}
