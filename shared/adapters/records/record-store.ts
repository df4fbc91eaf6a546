import { randomBytes } from "node:crypto";
import { combine } from "../../core/combine.ts";
import { digest } from "../../core/digest.ts";
import type { MarcRecord } from "../../marc/record.ts";
import { objectKeys } from "../../names.ts";
import { keptVersions, type RecordStore, type StoredRecord } from "../../records/documents/stored-record.ts";
import type { OriginFinding } from "../../records/origin/origin-finding.ts";
import type { RunMode } from "../../records/runs/run.ts";
import { variable } from "../aws/environment.ts";
import { assignments, attribute, type Expression, expression, list } from "../aws/expression.ts";
import { getJson, getObjectRange, putJson, putJsonByDigest } from "../aws/s3.ts";
import { combinedInserts, combinedUpdates } from "../aws/statements.ts";
import { table } from "../aws/table.ts";
import { unloggedMark, unloggedNames } from "./pending-index.ts";
import { placeOf, recordPages } from "./record-pages.ts";

/** Returns the condition on stored records that a run of the mode may overwrite. */
function isReplaceableBy(mode: RunMode): Expression {
  return mode === "LIVE"
    ? expression`(deliveryMode <> ${mode} OR state <> ${"delivered"})`
    : expression`deliveryMode IN (${mode}, ${"NONE"}) AND state <> ${"delivered"}`;
}

/** The attributes that hold the replaced versions. */
interface EarlierVersions {
  [name: `earlier${string}`]: unknown;
}

/** The attributes that hold the key and the time of the replaced versions, newest first. */
const earlierVersions = Array.from({ length: keptVersions - 1 }, (_, index) => ({
  key: `earlierKey${index + 1}` as const,
  at: `earlierAt${index + 1}` as const,
}));

/** Moves each version by one place, in the update that replaces the current version. The oldest version is dropped. */
const shiftVersions = list(
  earlierVersions.flatMap(({ key, at }, index) => {
    const newer = earlierVersions[index - 1] ?? { key: "recordKey", at: "updatedAt" };
    return [
      expression`${attribute(key)} = if_not_exists(${attribute(newer.key)}, ${null})`,
      expression`${attribute(at)} = if_not_exists(${attribute(newer.at)}, ${null})`,
    ];
  }),
);

/**
 * Attributes of a record's item that reads omit: those of link checking, the API and the indexes, and the earlier
 * versions.
 */
const hidden = [
  "link",
  "checkRequestedAt",
  "linkState",
  "linkStateAt",
  "firstRunId",
  "listedIn",
  ...unloggedNames,
  "noticeKind",
  "disagreesIn",
  "witnessedIn",
  ...earlierVersions.flatMap(({ key, at }) => [key, at]),
];

/** Returns the keys of the indexes by origin. A record that was both retracted and corrected is listed as retracted. */
function originKeys({
  sourceId,
  origin,
  originFindings = [],
}: Pick<StoredRecord, "sourceId" | "origin"> & { originFindings?: OriginFinding[] | undefined }) {
  const { witnesses = {}, disagreements = [] } = origin ?? {};
  return {
    noticeKind: (["article-retracted", "article-corrected"] as const).find((rule) =>
      originFindings.some(({ ruleId }) => ruleId === rule),
    ),
    disagreesIn: disagreements.length > 0 ? sourceId : undefined,
    witnessedIn: Object.keys(witnesses).length > 0 ? sourceId : undefined,
  };
}

function definedOf(attributes: object): object {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

/** Enough for two changes of a record in the same millisecond. */
const markBytes = 6;

/** The number of records that share an object if they are stored at the same time. */
const maxTogether = 50;

/** @param options.readsMany whether the function reads all records of a run; see `recordPages` */
export function recordStore({ readsMany = false } = {}): RecordStore {
  const definition = { variable: "recordsTable", key: (recordId: string) => ({ recordId }) } as const;
  const records = table<StoredRecord>({ ...definition, hidden });
  const versions = table<StoredRecord & EarlierVersions>(definition);
  const storeTogether = combine(storeRecords, maxTogether);
  const insert = combinedInserts(records.name, ["recordId"]);
  const update = combinedUpdates(records.name);
  return {
    storeMarc: (recordId, record) => storeTogether({ recordId, record }),
    storeMarcs: storePage,
    loadMarc: readsMany ? recordPages() : loadRecord,
    async save(record) {
      const { recordId, ...attributes } = record;
      const { runId, collectionId } = record;
      const origin = { origin: record.origin, ...originKeys(record) };
      const stored = { ...attributes, ...origin, ...newUnloggedMark(recordId) };
      if (await insert(definedOf({ recordId, ...stored, firstRunId: runId, listedIn: collectionId })))
        return true;
      const gone = Object.keys(stored).filter((name) => !(name in definedOf(stored)));
      const replace = (listing: Expression, condition: Expression) =>
        records.updateIfReading(
          "firstRunId",
          recordId,
          expression`SET ${assignments(stored)}, ${shiftVersions}, firstRunId = if_not_exists(firstRunId, ${runId})${listing} REMOVE ${list(["findings", "deliveryFile", ...gone].map(attribute))}`,
          expression`attribute_not_exists(recordId) OR (runId <> ${runId} AND ${isReplaceableBy(record.deliveryMode)}${condition})`,
        );
      // A record that link checking has deleted is not added to the list of its collection again.
      const isListed = expression` AND attribute_exists(listedIn)`;
      const listed = await replace(expression`, listedIn = ${collectionId}`, isListed);
      const { text: first } = listed.isWritten ? listed : await replace(expression``, expression``);
      return first === runId;
    },
    async setState({ recordId, deliveryMode }, state, { findings, deliveryFile } = {}) {
      await update({
        key: { recordId },
        set: {
          state,
          updatedAt: new Date().toISOString(),
          findings,
          deliveryFile,
          ...newUnloggedMark(recordId),
        },
        where: ['"deliveryMode" = ? AND "state" <> ? AND "state" <> ?', deliveryMode, "delivered", state],
      });
    },
    async replaceDelivered({ recordId, sourceId, deliveryMode, recordKey }, update) {
      const stored = { ...update, ...originKeys({ sourceId, ...update }), ...newUnloggedMark(recordId) };
      const gone = Object.keys(stored).filter((name) => !(name in definedOf(stored)));
      const removal = gone.length === 0 ? expression`` : expression` REMOVE ${list(gone.map(attribute))}`;
      await records.updateIf(
        recordId,
        expression`SET ${assignments(stored)}, ${shiftVersions}${removal}`,
        expression`deliveryMode = ${deliveryMode} AND state = ${"delivered"} AND recordKey = ${recordKey}`,
      );
    },
    async resetDelivered({ recordId, deliveryMode }) {
      await records.updateIf(
        recordId,
        expression`SET ${assignments({ state: "harvested", updatedAt: new Date().toISOString(), ...newUnloggedMark(recordId) })} REMOVE deliveryFile`,
        expression`deliveryMode = ${deliveryMode} AND state = ${"delivered"}`,
      );
    },
    get: (recordId) => records.get(recordId, { isConsistent: false }),
    async versions(recordId) {
      const item = await versions.get(recordId, { isConsistent: false });
      if (item === undefined) return [];
      const earlier = earlierVersions.flatMap(({ key, at }) => {
        const recordKey = item[key];
        return typeof recordKey === "string" ? [{ recordKey, at: String(item[at]) }] : [];
      });
      return [{ recordKey: item.recordKey, at: item.updatedAt }, ...earlier];
    },
  };
}

/** Returns the mark of a change of a record, for the writer of the change log. */
export function newUnloggedMark(recordId: string): ReturnType<typeof unloggedMark> {
  return unloggedMark(
    recordId,
    `${new Date().toISOString()} ${randomBytes(markBytes).toString("base64url")}`,
  );
}

/** Stores records in one object, because each new object is billed as much as 40 KiB that are written to a table. */
async function storeRecords(some: { recordId: string; record: MarcRecord }[]): Promise<string[]> {
  const [only] = some;
  if (some.length > 1 || only === undefined) return storePage(some.map(({ record }) => record));
  const keyOf = (contentDigest: string) => objectKeys.record(only.recordId, contentDigest);
  return [await putJsonByDigest(variable("recordsBucket"), keyOf, only.record)];
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
