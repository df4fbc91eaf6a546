import { assignments, expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { PlatformError } from "../../core/errors.ts";
import type { DefinitionSummary, HarvestDefinition } from "../definitions/definition.ts";
import { type HarvestJob, isTransition, type JobSummary } from "../definitions/job.ts";
import { limitReachedBy, type SnapshotStore } from "../definitions/snapshot-store.ts";
import { earlierEvents, keepEarlierEvents } from "./history-rows.ts";
import { SeedLists, type StoredSeeds } from "./seed-lists.ts";

interface DefinitionItem {
  definition: Packed<HarvestDefinition>;
  version: number;
}

/** A value as stored in an item. */
type Packed<Value extends { seeds: readonly string[] }> = Omit<Stored<Value>, "seeds"> & {
  seeds: StoredSeeds;
};

/** Dates are stored as ISO 8601 strings. */
type Stored<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Entry)[]
    ? Stored<Entry>[]
    : Value extends object
      ? { [Key in keyof Value]: Stored<Value[Key]> }
      : Value;

/** The maximum number of attempts to reserve ids. Few invocations create jobs at the same time. */
const maxTries = 10;

type JobItem = Packed<HarvestJob>;

function openJobs() {
  return table<JobItem, number>({
    variable: "snapshotsTable",
    key: (id) => ({ kind: "job", id: String(id).padStart(10, "0") }),
    hidden: ["kind"],
  });
}

/** Reads jobs without their seeds, for a function that has no access to the bucket. */
export function jobSummaries(): { job(id: number): Promise<JobSummary | undefined> } {
  const jobs = openJobs();
  return {
    async job(id) {
      const item = await jobs.get(id);
      return item && reviveJob(item);
    },
  };
}

/**
 * Stores everything in one table: definitions (kind `definition`), their earlier events (kind `history:` and
 * the id), jobs (kind `job`), and the last job id (kind `counter`). Seeds are objects in the bucket of
 * snapshots.
 */
export function snapshotStore(): SnapshotStore {
  const variable = "snapshotsTable";
  const definitions = table<DefinitionItem>({ variable, key: (id) => ({ kind: "definition", id }) });
  const counters = table<{ last: number }>({ variable, key: (id) => ({ kind: "counter", id }) });
  const jobs = openJobs();
  const seedLists = new SeedLists();
  const packed = async <Value extends HarvestDefinition | HarvestJob>(
    value: Value,
  ): Promise<Packed<Value>> => {
    const rest: object = dated({ ...value, seeds: [] });
    return { ...rest, seeds: await seedLists.store(value.seeds) } as Packed<Value>;
  };
  return {
    async definition(id) {
      const item = await definitions.get(id);
      if (item === undefined) return undefined;
      const { definition, version } = item;
      const seeds = await seedLists.load(definition.seeds);
      return { definition: { ...reviveDefinition(definition), seeds }, version };
    },
    async definitions() {
      const stored = definitions.query({ where: expression`kind = ${"definition"}`, isConsistent: true });
      return (await stored.all()).map(({ definition }) => reviveDefinition(definition));
    },
    earlierEvents,
    create: async (definition) =>
      definitions.putNew(definition.id, { definition: await packed(definition), version: 1 }),
    async replace(definition, version) {
      const history = await keepEarlierEvents(definition.id, definition.history);
      const stored = await packed({ ...definition, history });
      return definitions.updateIf(
        definition.id,
        expression`SET definition = ${stored}, version = ${version + 1}`,
        expression`version = ${version}`,
      );
    },
    // Gone already: an attempt whose answer was lost has removed it.
    remove: (id, version) =>
      definitions.deleteIf(id, expression`attribute_not_exists(id) OR version = ${version}`),
    async job(id) {
      const item = await jobs.get(id);
      return item && { ...reviveJob(item), seeds: await seedLists.load(item.seeds) };
    },
    async jobs() {
      const stored = jobs.query({ where: expression`kind = ${"job"}`, isConsistent: true });
      return (await stored.all()).map(reviveJob);
    },
    async reserveJobIds(count) {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const known = (await counters.get("jobs"))?.last;
        const last = known ?? 0;
        const isOurs = await counters.updateIf(
          "jobs",
          expression`SET last = ${last + count}`,
          known === undefined ? expression`attribute_not_exists(id)` : expression`last = ${known}`,
        );
        if (isOurs) return last + 1;
      }
      throw new PlatformError("other requests keep reserving ids of jobs");
    },
    async addJob(job) {
      await jobs.putNew(job.id, await packed(job));
    },
    async changeJob(id, from, change) {
      if (!isTransition(from, change.state))
        throw new Error(`a job cannot go from ${from} to ${change.state}`);
      return jobs.updateIf(id, expression`SET ${assignments(dated(change))}`, expression`state = ${from}`);
    },
    async countCapture(id, { bytes, limits }) {
      await jobs.updateIf(
        id,
        expression`SET objects = objects + ${1}, bytes = bytes + ${bytes}`,
        expression`attribute_exists(id)`,
      );
      const job = await jobs.get(id);
      const limit = job && limitReachedBy(job, limits);
      if (limit === undefined) return;
      await jobs.updateIf(id, expression`SET limit = ${limit}`, expression`attribute_not_exists(limit)`);
    },
  };
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

function reviveJob(stored: JobItem): JobSummary {
  const { seeds: _elsewhere, id, createdAt, submittedAt, startedAt, endedAt, ...rest } = stored;
  return {
    ...rest,
    id: Number(id),
    createdAt: new Date(createdAt),
    ...(submittedAt && { submittedAt: new Date(submittedAt) }),
    ...(startedAt && { startedAt: new Date(startedAt) }),
    ...(endedAt && { endedAt: new Date(endedAt) }),
  } as JobSummary;
}
