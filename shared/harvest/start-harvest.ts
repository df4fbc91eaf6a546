import type { Clock } from "../core/clock.ts";
import { digest } from "../core/digest.ts";
import { inParallel } from "../core/in-parallel.ts";
import type {
  Deadlines,
  Requests,
  RunStore,
  SourceStatusStore,
  SourceStore,
  StageQueue,
  UnusableSource,
} from "../ports.ts";
import type { Source } from "../sources/source.ts";
import { closeSource, sourcesTally, sourceTally } from "./completion.ts";
import { failedSource, type RunStart, runIdOf } from "./run.ts";

export interface StartHarvestPorts {
  sources: SourceStore;
  status: SourceStatusStore;
  runs: RunStore;
  requests: Requests;
  deadlines: Deadlines;
  delivery: StageQueue;
  clock: Clock;
  runDeadlineMinutes: number;
}

/** Sources opened at the same time. */
const sourcesAtOnce = 16;

/**
 * Opens a run and asks for the first page of each of its sources. A repeated start of a run that has got past its start
 * changes nothing; one that broke off on the way is finished.
 */
export async function startHarvest(start: RunStart, ports: StartHarvestPorts): Promise<void> {
  const now = ports.clock.now();
  const runId = runIdOf(start);
  const run = await ports.runs.create({
    runId,
    deliveryMode: start.deliveryMode,
    state: "starting",
    startedAt: now.toISOString(),
    deadlineAt: new Date(now.getTime() + ports.runDeadlineMinutes * 60_000).toISOString(),
  });
  if (run.state !== "starting") return;

  const { sources, failed } = await wantedSources(start, ports);
  const sourceIds = [...sources, ...failed].map(({ sourceId }) => sourceId);
  if (sourceIds.length === 0) {
    await ports.delivery.send({ runId });
    await ports.runs.move(runId, ["starting"], { state: "harvesting" });
    return;
  }
  await ports.deadlines.set(runId, run.deadlineAt);
  await ports.runs.count(runId, sourcesTally, { opened: sourceIds });
  await inParallel(failed, sourcesAtOnce, (source) => failSource(runId, source, ports));
  await inParallel(sources, sourcesAtOnce, async (source) => {
    await ports.status.added(source.sourceId, run.startedAt);
    await openSource(runId, source, ports);
  });
  await ports.runs.move(runId, ["starting"], { state: "harvesting" });
}

/** The sources of the mode, or those of them that are named; what cannot be harvested apart, with the reason. */
async function wantedSources({ deliveryMode, sourceIds }: RunStart, ports: StartHarvestPorts) {
  const { sources, unusable } = await ports.sources.sourcesOf(deliveryMode);
  if (sourceIds === undefined) return { sources, failed: unusable };
  const isWanted = ({ sourceId }: { sourceId: string }) => sourceIds.includes(sourceId);
  const known = new Set([...sources, ...unusable].map(({ sourceId }) => sourceId));
  const unknown = sourceIds
    .filter((sourceId) => !known.has(sourceId))
    .map((sourceId) => ({
      sourceId,
      title: sourceId,
      problem: `there is no ${deliveryMode} source ${sourceId}`,
    }));
  return { sources: sources.filter(isWanted), failed: [...unusable.filter(isWanted), ...unknown] };
}

async function openSource(runId: string, source: Source, ports: StartHarvestPorts): Promise<void> {
  const { sourceId } = source;
  const group = await ports.sources.group(source.groupId);
  if (group === undefined) {
    return failSource(runId, { ...source, problem: `there is no group ${source.groupId}` }, ports);
  }
  if (source.type !== "RSS") {
    const problem = `sources of type ${source.type} cannot be harvested yet`;
    return failSource(runId, { ...source, problem }, ports);
  }
  const id = digest(runId, sourceId, "feed", source.url);
  await ports.runs.count(runId, sourceTally(sourceId), { opened: [id] });
  await ports.requests.send([
    {
      id,
      kind: "feed",
      url: source.url,
      ...(source.throttleMs !== undefined && { throttleMs: source.throttleMs }),
      userAgent: group.userAgent,
      obeyRobots: source.obeyRobots,
      context: { runId, sourceId },
    },
  ]);
}

async function failSource(
  runId: string,
  { sourceId, title, problem }: UnusableSource,
  ports: StartHarvestPorts,
): Promise<void> {
  await ports.runs.saveSource(runId, failedSource({ sourceId, title }, problem));
  await closeSource(runId, sourceId, ports);
}
