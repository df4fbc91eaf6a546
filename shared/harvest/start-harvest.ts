import type { Clock } from "../core/clock.ts";
import { digest } from "../core/digest.ts";
import type { Deadlines, Requests, RunStore, SourceStatusStore, SourceStore, StageQueue } from "../ports.ts";
import type { Source } from "../sources/source.ts";
import { closeSource, sourcesTally, sourceTally } from "./completion.ts";
import { type RunStart, runIdOf } from "./run.ts";

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

  const sources = await wantedSources(start, ports);
  const sourceIds = sources.map(({ sourceId }) => sourceId);
  if (sourceIds.length === 0) {
    await ports.delivery.send({ runId });
    await ports.runs.move(runId, ["starting"], { state: "harvesting" });
    return;
  }
  await ports.deadlines.set(runId, run.deadlineAt);
  await ports.runs.count(runId, sourcesTally, { opened: sourceIds });
  for (const source of sources) {
    await ports.status.added(source.sourceId, run.startedAt);
    await openSource(runId, source, ports);
  }
  await ports.runs.move(runId, ["starting"], { state: "harvesting" });
}

async function wantedSources(start: RunStart, ports: StartHarvestPorts): Promise<Source[]> {
  const all = await ports.sources.sourcesOf(start.deliveryMode);
  const { sourceIds } = start;
  return sourceIds === undefined ? all : all.filter(({ sourceId }) => sourceIds.includes(sourceId));
}

async function openSource(runId: string, source: Source, ports: StartHarvestPorts): Promise<void> {
  const { sourceId, title } = source;
  if (source.type !== "RSS") {
    const reason = `sources of type ${source.type} cannot be harvested yet`;
    await ports.runs.saveSource(runId, {
      sourceId,
      title,
      state: "failed",
      reason,
      entries: 0,
      known: 0,
      requested: 0,
      dropped: [],
    });
    await closeSource(runId, sourceId, ports);
    return;
  }
  const group = await ports.sources.group(source.groupId);
  const id = digest(runId, sourceId, "feed", source.url);
  await ports.runs.count(runId, sourceTally(sourceId), { opened: [id] });
  await ports.requests.send([
    {
      id,
      kind: "feed",
      url: source.url,
      ...(source.throttleMs !== undefined && { throttleMs: source.throttleMs }),
      ...(group?.userAgent && { userAgent: group.userAgent }),
      obeyRobots: source.obeyRobots,
      context: { runId, sourceId },
    },
  ]);
}
