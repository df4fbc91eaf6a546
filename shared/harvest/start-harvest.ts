import type { Clock } from "../core/clock.ts";
import { isOutage } from "../core/errors.ts";
import { inParallel } from "../core/in-parallel.ts";
import { closeSource } from "../records/runs/completion.ts";
import { type DeadlineSettings, type Deadlines, deadlinesOf } from "../records/runs/deadlines.ts";
import { buildRunId, failedSourceOutcome, type Run, type RunStart } from "../records/runs/run.ts";
import { sourcesTallyName } from "../records/runs/tally-names.ts";
import type { Source } from "../records/sources/source.ts";
import type { SourceStatusStore } from "../records/sources/source-status.ts";
import type { SourceStore, UnusableSource } from "../records/sources/source-store.ts";
import type { StartSourcePorts } from "./listing/start-listings.ts";
import { requestPolicyFor } from "./request-policy.ts";
import { startByType } from "./source-types.ts";

interface StartHarvestPorts extends StartSourcePorts, DeadlineSettings {
  sources: SourceStore;
  status: SourceStatusStore;
  deadlines: Deadlines;
  clock: Clock;
  /** Whether this is the last try. A source whose start then fails has failed, and does not block the others. */
  isLastTry?: boolean;
}

/** The listing under which the start stores a source's outcome, before any response has been read. */
const startListingId = "start";

const maxParallelSources = 16;

/**
 * Opens a run and starts each of its sources. Repeatable: an interrupted start is completed. If the run is already past
 * its start, nothing happens.
 */
export async function startHarvest(start: RunStart, ports: StartHarvestPorts): Promise<void> {
  const now = ports.clock.now();
  const runId = buildRunId(start);
  const run = await ports.runs.create({
    runId,
    deliveryMode: start.deliveryMode,
    state: "starting",
    startedAt: now.toISOString(),
    ...startDeadlines(start, now, ports),
    ...(start.newest !== undefined && { newest: start.newest }),
  });
  if (run.state !== "starting") return;

  const { sources, failed } = await selectSources(start, ports);
  const sourceIds = [...sources, ...failed].map(({ sourceId }) => sourceId);
  if (sourceIds.length === 0) {
    await ports.delivery.send({ runId });
    await ports.runs.changeState(runId, ["starting"], { state: "harvesting" });
    return;
  }
  await ports.deadlines.schedule(run);
  await ports.runs.updateTally(runId, sourcesTallyName, { opened: sourceIds });
  await inParallel(failed, maxParallelSources, (source) => failSource(runId, source, ports));
  const groups = await ports.sources.groups();
  await inParallel(sources, maxParallelSources, async (source) => {
    // The overdue check counts from the first live run, because deliveries of test sources are not expected.
    if (run.deliveryMode === "LIVE") await ports.status.markAdded(source.sourceId, run.startedAt);
    try {
      await startSource(source, { run, groups, isNamed: start.sourceIds !== undefined }, ports);
    } catch (error) {
      if (ports.isLastTry !== true || isOutage(error)) throw error;
      const problem = `it could not be started: ${error instanceof Error ? error.message : String(error)}`;
      await failSource(runId, { ...source, problem }, ports);
    }
  });
  await ports.runs.changeState(runId, ["starting"], { state: "harvesting" });
}

/** Returns the deadlines of a start. A preview waits for all of its sources, because it delivers nothing. */
function startDeadlines(
  { deliveryMode, waitsForAll }: RunStart,
  now: Date,
  settings: DeadlineSettings,
): ReturnType<typeof deadlinesOf> {
  const isPatient = deliveryMode === "NONE" || waitsForAll === true;
  return deadlinesOf(now, { ...settings, ...(isPatient && { softDeadlineMinutes: 0 }) });
}

/**
 * Returns the sources of a delivery mode, or the named sources. Sources that cannot be harvested are returned
 * separately, each with its problem. A preview (mode NONE) may name sources of any mode. Sources that are new from
 * Zeder are harvested only when they are named.
 */
async function selectSources({ deliveryMode, sourceIds }: RunStart, ports: StartHarvestPorts) {
  if (sourceIds === undefined) {
    const { sources, unusable } = await ports.sources.sourcesByMode(deliveryMode);
    return { sources, failed: unusable };
  }
  const ids = [...new Set(sourceIds)];
  const named = await ports.sources.sourcesById(ids);
  const sources = named.sources.filter(
    (source) => deliveryMode === "NONE" || source.deliveryMode === deliveryMode,
  );
  const known = new Set([...sources, ...named.unusable].map(({ sourceId }) => sourceId));
  const missing = ids
    .filter((sourceId) => !known.has(sourceId))
    .map((sourceId) => ({
      sourceId,
      title: sourceId,
      problem: `there is no ${deliveryMode === "NONE" ? "" : `${deliveryMode} `}source ${sourceId}`,
    }));
  return { sources, failed: [...named.unusable, ...missing] };
}

async function startSource(
  source: Source,
  {
    run,
    groups: { groups, unusable },
    isNamed,
  }: { run: Run; groups: Awaited<ReturnType<SourceStore["groups"]>>; isNamed: boolean },
  ports: StartHarvestPorts,
): Promise<void> {
  const fail = (problem: string) => failSource(run.runId, { ...source, problem }, ports);
  const isOwner = ({ groupId }: { groupId: string }) => groupId === source.groupId;
  const group = groups.find(isOwner);
  if (group === undefined) {
    const problem = unusable.find(isOwner)?.problem;
    return fail(
      problem === undefined ? `there is no group ${source.groupId}` : `group ${source.groupId}: ${problem}`,
    );
  }
  // Polls read this source; the delivery takes the results of the polls.
  if (source.reading !== undefined && !isNamed) {
    return closeSource(run.runId, source.sourceId, ports);
  }
  const requestPolicy = requestPolicyFor(source, group, run);
  const context = { run, group, requestPolicy, listingId: startListingId };
  const result = await startByType[source.type](source, context, ports);
  if (result.type === "problem") await fail(result.problem);
}

async function failSource(
  runId: string,
  { sourceId, title, problem }: UnusableSource,
  ports: StartHarvestPorts,
): Promise<void> {
  await ports.runs.saveListingOutcome(
    runId,
    startListingId,
    failedSourceOutcome({ sourceId, title }, problem),
  );
  await closeSource(runId, sourceId, ports);
}
