import { PlatformError } from "../../../core/errors.ts";
import type { HarvestDefinition } from "../../../snapshots/definitions/definition.ts";
import { type HarvestJob, isTransition } from "../../../snapshots/definitions/job.ts";
import type { JobLimits, SnapshotStore } from "../../../snapshots/definitions/snapshot-store.ts";
import { buildSetExpression, getItem, putIf, queryAll, updateIf } from "../dynamodb.ts";
import { variable } from "../environment.ts";
import { packSeeds, unpackSeeds } from "./packed-seeds.ts";

interface DefinitionItem {
  definition: Packed<HarvestDefinition>;
  version: number;
}

/** As an item holds it. */
type Packed<Value extends { seeds: readonly string[] }> = Omit<Stored<Value>, "seeds"> & {
  seeds: Uint8Array;
};

/** Dates are stored as ISO 8601. */
type Stored<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Entry)[]
    ? Stored<Entry>[]
    : Value extends object
      ? { [Key in keyof Value]: Stored<Value[Key]> }
      : Value;

const counterId = "jobs";

/** Few make jobs at the same time. */
const maxTries = 10;

/** One table: definitions (kind `definition`), jobs (kind `job`), and the last id of a job (kind `counter`). */
export function snapshotStore(): SnapshotStore {
  const TableName = variable("snapshotsTable");
  const definitionKey = (id: string) => ({ kind: "definition", id });
  const jobKey = (id: number) => ({ kind: "job", id: String(id).padStart(10, "0") });
  const itemsOf = <Item>(kind: string) =>
    queryAll<Item>({
      TableName,
      KeyConditionExpression: "kind = :kind",
      ExpressionAttributeValues: { ":kind": kind },
      ConsistentRead: true,
    });
  return {
    async definition(id) {
      const item = await getItem<DefinitionItem>({ TableName, Key: definitionKey(id), ConsistentRead: true });
      return item && { definition: reviveDefinition(item.definition), version: item.version };
    },
    async definitions() {
      const items = await itemsOf<DefinitionItem>("definition");
      return items.map(({ definition, version }) => ({ definition: reviveDefinition(definition), version }));
    },
    create: (definition) =>
      putIf({
        TableName,
        Item: { ...definitionKey(definition.id), definition: packed(definition), version: 1 },
        ConditionExpression: "attribute_not_exists(id)",
      }),
    replace: (definition, version) =>
      updateIf({
        TableName,
        Key: definitionKey(definition.id),
        UpdateExpression: "SET #definition = :definition, version = :next",
        ConditionExpression: "version = :version",
        ExpressionAttributeNames: { "#definition": "definition" },
        ExpressionAttributeValues: {
          ":definition": packed(definition),
          ":version": version,
          ":next": version + 1,
        },
      }),
    async job(id) {
      const item = await getItem<Packed<HarvestJob>>({ TableName, Key: jobKey(id), ConsistentRead: true });
      return item && reviveJob(item);
    },
    async jobs() {
      return (await itemsOf<Packed<HarvestJob>>("job")).map(reviveJob);
    },
    async reserveJobIds(count) {
      const Key = { kind: "counter", id: counterId };
      for (let tries = 0; tries < maxTries; tries += 1) {
        const item = await getItem<{ last: number }>({ TableName, Key, ConsistentRead: true });
        const last = item?.last ?? 0;
        const isOurs = await updateIf({
          TableName,
          Key,
          UpdateExpression: "SET #last = :next",
          ConditionExpression: item === undefined ? "attribute_not_exists(id)" : "#last = :last",
          ExpressionAttributeNames: { "#last": "last" },
          ExpressionAttributeValues: { ":next": last + count, ...(item !== undefined && { ":last": last }) },
        });
        if (isOurs) return last + 1;
      }
      throw new PlatformError("others keep taking ids of jobs");
    },
    async addJob(job) {
      await putIf({
        TableName,
        Item: { ...packed(job), ...jobKey(job.id) },
        ConditionExpression: "attribute_not_exists(id)",
      });
    },
    async changeJob(id, from, change) {
      if (!isTransition(from, change.state))
        throw new Error(`a job cannot go from ${from} to ${change.state}`);
      const { set, names, values } = buildSetExpression(dated(change));
      return updateIf({
        TableName,
        Key: jobKey(id),
        UpdateExpression: set,
        ConditionExpression: "#state = :from",
        ExpressionAttributeNames: { ...names, "#state": "state" },
        ExpressionAttributeValues: { ...values, ":from": from },
      });
    },
    async countCapture(id, { bytes, limits }) {
      const Key = jobKey(id);
      await updateIf({
        TableName,
        Key,
        UpdateExpression: "SET #objects = #objects + :one, #bytes = #bytes + :bytes",
        ConditionExpression: "attribute_exists(id)",
        ExpressionAttributeNames: { "#objects": "objects", "#bytes": "bytes" },
        ExpressionAttributeValues: { ":one": 1, ":bytes": bytes },
      });
      const job = await getItem<HarvestJob>({ TableName, Key, ConsistentRead: true });
      const limit = job && limitReachedBy(job, limits);
      if (limit === undefined) return;
      await updateIf({
        TableName,
        Key,
        UpdateExpression: "SET #limit = :limit",
        ConditionExpression: "attribute_not_exists(#limit)",
        ExpressionAttributeNames: { "#limit": "limit" },
        ExpressionAttributeValues: { ":limit": limit },
      });
    },
  };
}

/** Undefined also of a job whose limit is noted already: a later one does not replace it. */
function limitReachedBy(
  { limit, objects, bytes }: Pick<HarvestJob, "limit" | "objects" | "bytes">,
  { maxObjects, maxBytes }: JobLimits,
): HarvestJob["limit"] {
  if (limit !== undefined) return undefined;
  if (objects >= maxObjects) return "objects";
  return bytes >= maxBytes ? "bytes" : undefined;
}

function dated<Value>(value: Value): Stored<Value> {
  return JSON.parse(JSON.stringify(value)) as Stored<Value>;
}

/** @throws InputError when the seeds do not fit into an item */
function packed<Value extends HarvestDefinition | HarvestJob>(value: Value): Packed<Value> {
  return { ...dated(value), seeds: packSeeds(value.seeds) };
}

function reviveDefinition(stored: Packed<HarvestDefinition>): HarvestDefinition {
  const { seeds, createdAt, endedAt, history, index, ...rest } = stored;
  return {
    ...rest,
    seeds: unpackSeeds(seeds),
    createdAt: new Date(createdAt),
    ...(endedAt && { endedAt: new Date(endedAt) }),
    history: history.map(({ at, what }) => ({ at: new Date(at), what })),
    ...(index && { index: { ...index, deadline: new Date(index.deadline) } }),
  } as HarvestDefinition;
}

function reviveJob(stored: Packed<HarvestJob> & { kind?: string }): HarvestJob {
  const { kind: _key, id, seeds, createdAt, submittedAt, startedAt, endedAt, ...rest } = stored;
  return {
    ...rest,
    seeds: unpackSeeds(seeds),
    id: Number(id),
    createdAt: new Date(createdAt),
    ...(submittedAt && { submittedAt: new Date(submittedAt) }),
    ...(startedAt && { startedAt: new Date(startedAt) }),
    ...(endedAt && { endedAt: new Date(endedAt) }),
  } as HarvestJob;
}
