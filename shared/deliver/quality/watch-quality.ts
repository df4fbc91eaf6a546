import type { Clock } from "../../core/clock.ts";
import { ThrottledError } from "../../core/errors.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { Events } from "../../records/events/events.ts";
import type { Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { type Drift, judgeRun, maxEarlierRuns, type SourceDrifts, type SourceQuality } from "./drift.ts";
import type { QualityFigures } from "./figures.ts";
import { qualityFields } from "./quality-field.ts";
import type { QualityStore } from "./quality-store.ts";

export interface WatchQualityPorts {
  runs: Pick<RunStore, "stageResult">;
  sources: Pick<SourceStore, "sourcesById">;
  quality: Pick<QualityStore, "save" | "latest" | "drifts" | "saveDrifts">;
  events: Events;
  clock: Pick<Clock, "now">;
}

/** What a run reports about the drifts of a source. */
export interface DriftNews {
  sourceId: string;
  title: string;
  found: Drift[];
  recovered: Drift[];
}

const maxParallelSources = 16;

/**
 * Saves the quality of the records of a run by source, finds the fields that fewer records have than before, and
 * publishes them. Repeatable: a repeat yields the same.
 * @param titles the titles of the sources by id
 * @returns the sources with drifts that this run has found, or that have ended in it; nothing before its validation
 */
export async function watchQuality(
  run: Run,
  titles: ReadonlyMap<string, string>,
  ports: WatchQualityPorts,
): Promise<DriftNews[]> {
  const figures = (await ports.runs.stageResult<Record<string, QualityFigures>>(run.runId, "quality")) ?? {};
  // The figures of a source that was deleted meanwhile must not return.
  const { sources, unusable } = await ports.sources.sourcesById(Object.keys(figures));
  const known = [...sources, ...unusable].flatMap(({ sourceId, title }) => {
    const own = figures[sourceId];
    return own === undefined ? [] : [{ sourceId, title: titles.get(sourceId) ?? title, own }];
  });
  const news = await inParallel(known, maxParallelSources, async ({ sourceId, title, own }) => {
    const { runId, startedAt } = run;
    const state = await keepFigures({ sourceId, runId, startedAt, ...own }, title, ports);
    const found = state.drifts.filter(({ foundIn }) => foundIn === runId);
    const recovered = state.drifts.filter((drift) => drift.recovered?.runId === runId);
    await publishNews(state, { found, recovered }, ports.events);
    return { sourceId, title, found, recovered };
  });
  return news.filter(({ found, recovered }) => found.length + recovered.length > 0);
}

/** The number of attempts to store drifts that other runs and operators change meanwhile. */
const maxTries = 5;
const retryAfterMs = 1_000;

async function keepFigures(
  run: SourceQuality,
  title: string,
  { quality, clock }: WatchQualityPorts,
): Promise<SourceDrifts> {
  const { sourceId } = run;
  await quality.save(run);
  const earlier = await quality.latest(sourceId, { limit: maxEarlierRuns, before: run });
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const known = await quality.drifts(sourceId);
    const judged = judgeRun(run, earlier, { known, title });
    if (judged === undefined && known !== undefined) return known;
    if (judged !== undefined && (await quality.saveDrifts(judged))) return judged;
  }
  throw new ThrottledError(
    `other workers keep changing the drifts of source ${sourceId}`,
    new Date(clock.now().getTime() + retryAfterMs),
  );
}

async function publishNews(
  { sourceId }: SourceDrifts,
  { found, recovered }: Pick<DriftNews, "found" | "recovered">,
  events: Events,
): Promise<void> {
  const detailOf = ({ field, since, before }: Drift) => ({
    sourceUri: `/sources/${sourceId}`,
    sourceId,
    field,
    place: qualityFields[field].place,
    since,
    before,
  });
  for (const drift of found) {
    const { driftId, now, foundIn: runId, foundAt: at } = drift;
    const detail = { ...detailOf(drift), now, runId, at };
    await events.publish({ type: "source.quality-drifted", changeId: `${driftId}/drifted`, detail });
  }
  for (const drift of recovered) {
    const { driftId, recovered: end } = drift;
    if (end === undefined) continue;
    const { runId, at, share: now } = end;
    const detail = { ...detailOf(drift), now, runId, at };
    await events.publish({ type: "source.quality-recovered", changeId: `${driftId}/recovered`, detail });
  }
}
