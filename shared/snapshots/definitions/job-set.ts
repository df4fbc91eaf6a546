import type { DefinitionSummary } from "./definition.ts";
import { hasData, isIndexable, type JobSummary } from "./job.ts";

/** The data from which a job set is determined. */
export interface HarvestHistory {
  /** The definitions by id. */
  definitions: ReadonlyMap<string, DefinitionSummary>;
  jobs: readonly JobSummary[];
}

type JobSet =
  | { type: "jobs"; ids: number[] }
  /** A definition names an ancestor that does not exist. */
  | { type: "unknown"; id: string }
  /** Definitions that are each other's ancestors, in order. The first id is repeated at the end. */
  | { type: "cycle"; ids: string[] };

/**
 * Returns the jobs whose captures a snapshot may refer to, by id in ascending order. These are the jobs of
 * its ancestors, and the jobs of the newest chain of snapshots that was executed before the first ancestor. A
 * definition that stored nothing counts as not executed. Jobs are included if they are done, or if they
 * failed but have a crawl log.
 */
export function jobsToIndex(id: string, { definitions, jobs }: HarvestHistory): JobSet {
  const chain = ancestors(id, definitions);
  if (chain.type !== "chain") return chain;
  const indexable = jobs.filter(isIndexable);
  const executed = executionTimes(jobs.filter(hasData));
  const before = newestBefore(executed.get(chain.ids.at(-1) ?? id), {
    candidates: [...definitions.values()].filter(({ type }) => type === "snapshot"),
    executed,
    not: new Set(chain.ids),
  });
  const earlier = before === undefined ? undefined : ancestors(before, definitions);
  if (earlier !== undefined && earlier.type !== "chain") return earlier;
  const counted = new Set([...chain.ids.slice(1), ...(earlier?.ids ?? [])]);
  const ids = indexable.filter(({ definitionId }) => counted.has(definitionId)).map((job) => job.id);
  return { type: "jobs", ids: ids.sort((a, b) => a - b) };
}

type Chain = { type: "chain"; ids: string[] } | Exclude<JobSet, { type: "jobs" }>;

/** Returns a definition and its ancestors, newest first. */
function ancestors(id: string, definitions: HarvestHistory["definitions"]): Chain {
  const ids: string[] = [];
  for (let at: string | undefined = id; at !== undefined; at = definitions.get(at)?.previous) {
    if (!definitions.has(at)) return { type: "unknown", id: at };
    const before = ids.indexOf(at);
    if (before >= 0) return { type: "cycle", ids: [...ids.slice(before), at] };
    ids.push(at);
  }
  return { type: "chain", ids };
}

/** Returns when the first job of each definition began to store captures. */
function executionTimes(jobs: readonly JobSummary[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { definitionId, startedAt, createdAt } of jobs) {
    const time = (startedAt ?? createdAt).getTime();
    const known = times.get(definitionId);
    if (known === undefined || time < known) times.set(definitionId, time);
  }
  return times;
}

/**
 * @param limit a time; undefined if the chain was not executed, so that every other chain was executed before
 *   it
 */
function newestBefore(
  limit: number | undefined,
  given: {
    candidates: readonly DefinitionSummary[];
    executed: ReadonlyMap<string, number>;
    not: ReadonlySet<string>;
  },
): string | undefined {
  let newest: { id: string; time: number } | undefined;
  for (const { id } of given.candidates) {
    const time = given.executed.get(id);
    if (time === undefined || given.not.has(id) || (limit !== undefined && time >= limit)) continue;
    if (newest === undefined || time > newest.time) newest = { id, time };
  }
  return newest?.id;
}
