import { buildSetExpression, getItem, putIf, queryAll, updateIf } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { PlatformError } from "../../core/errors.ts";
import type { DefinitionSummary, HarvestDefinition } from "../definitions/definition.ts";
import { type HarvestJob, isTransition, type JobSummary } from "../definitions/job.ts";
import type { JobLimits, SnapshotStore } from "../definitions/snapshot-store.ts";
import { earlierEvents, keepEarlierEvents } from "./history-rows.ts";
import { SeedLists, type StoredSeeds } from "./seed-lists.ts";

interface DefinitionItem {
  definition: Packed<HarvestDefinition>;
  version: number;
}

/** As an item holds it. */
type Packed<Value extends { seeds: readonly string[] }> = Omit<Stored<Value>, "seeds"> & {
  seeds: StoredSeeds;
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

const definitionKey = (id: string) => ({ kind: "definition", id });
const jobKey = (id: number) => ({ kind: "job", id: String(id).padStart(10, "0") });

/** Jobs without their seeds, for a function that needs no bucket. */
export function jobSummaries(): { job(id: number): Promise<JobSummary | undefined> } {
  const TableName = variable("snapshotsTable");
  return {
    async job(id) {
      const item = await getItem<Packed<HarvestJob>>({ TableName, Key: jobKey(id), ConsistentRead: true });
      return item && reviveJob(item);
    },
  };
}

/**
 * One table: definitions (kind `definition`), their earlier events (kind `history:` and the id), jobs (kind `job`), and the last
 * id of a job (kind `counter`). Seeds are objects in the bucket of snapshots.
 */
export function snapshotStore(): SnapshotStore {
  const TableName = variable("snapshotsTable");
  const seedLists = new SeedLists();
  const itemsOf = <Item>(kind: string) =>
    queryAll<Item>({
      TableName,
      KeyConditionExpression: "kind = :kind",
      ExpressionAttributeValues: { ":kind": kind },
      ConsistentRead: true,
    });
  const packed = async <Value extends HarvestDefinition | HarvestJob>(
    value: Value,
  ): Promise<Packed<Value>> => {
    const rest: object = dated({ ...value, seeds: [] });
    return { ...rest, seeds: await seedLists.store(value.seeds) } as Packed<Value>;
  };
  return {
    async definition(id) {
      const item = await getItem<DefinitionItem>({ TableName, Key: definitionKey(id), ConsistentRead: true });
      if (item === undefined) return undefined;
      const { definition, version } = item;
      const seeds = await seedLists.load(definition.seeds);
      return { definition: { ...reviveDefinition(definition), seeds }, version };
    },
    async definitions() {
      const items = await itemsOf<DefinitionItem>("definition");
      return items.map(({ definition }) => reviveDefinition(definition));
    },
    earlierEvents: (id, most) => earlierEvents(TableName, id, most),
    create: async (definition) =>
      putIf({
        TableName,
        Item: { ...definitionKey(definition.id), definition: await packed(definition), version: 1 },
        ConditionExpression: "attribute_not_exists(id)",
      }),
    async replace(definition, version) {
      const history = await keepEarlierEvents(TableName, definition.id, definition.history);
      return updateIf({
        TableName,
        Key: definitionKey(definition.id),
        UpdateExpression: "SET #definition = :definition, version = :next",
        ConditionExpression: "version = :version",
        ExpressionAttributeNames: { "#definition": "definition" },
        ExpressionAttributeValues: {
          ":definition": await packed({ ...definition, history }),
          ":version": version,
          ":next": version + 1,
        },
      });
    },
    async job(id) {
      const item = await getItem<Packed<HarvestJob>>({ TableName, Key: jobKey(id), ConsistentRead: true });
      return item && { ...reviveJob(item), seeds: await seedLists.load(item.seeds) };
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
        Item: { ...(await packed(job)), ...jobKey(job.id) },
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

function reviveDefinition(stored: Packed<HarvestDefinition>): DefinitionSummary {
  const { seeds: _elsewhere, createdAt, endedAt, history, index, ...rest } = stored;
  return {
    ...rest,
    createdAt: new Date(createdAt),
    ...(endedAt && { endedAt: new Date(endedAt) }),
    history: history.map(({ at, what }) => ({ at: new Date(at), what })),
    ...(index && { index: { ...index, deadline: new Date(index.deadline) } }),
  } as DefinitionSummary;
}

function reviveJob(stored: Packed<HarvestJob> & { kind?: string }): JobSummary {
  const { kind: _key, seeds: _elsewhere, id, createdAt, submittedAt, startedAt, endedAt, ...rest } = stored;
  return {
    ...rest,
    id: Number(id),
    createdAt: new Date(createdAt),
    ...(submittedAt && { submittedAt: new Date(submittedAt) }),
    ...(startedAt && { startedAt: new Date(startedAt) }),
    ...(endedAt && { endedAt: new Date(endedAt) }),
  } as JobSummary;
}
