import { configurationStore } from "../shared/aws/configuration-store.ts";
import { messageQueue, stageQueue } from "../shared/aws/queues.ts";
import { latestRuns, runStore } from "../shared/aws/run-store.ts";
import type { RunReport, SourceReport } from "../shared/delivery/report.ts";
import type { Stage } from "../shared/delivery/stages.ts";
import { type Run, type RunStart, runIdOf } from "../shared/harvest/run.ts";
import type { variables } from "../shared/names.ts";
import { configurationOf } from "../shared/sources/configuration.ts";
import { group } from "../shared/sources/group.ts";
import { type NewSource, type Source, source } from "../shared/sources/source.ts";
import { followRun } from "./follow-run.ts";
import { demoSourceId, localGroup } from "./seed.ts";

/** How many runs back an interrupted one is looked for. */
const runsLookedAt = 10;

interface Telling {
  tell: (line: string) => void;
  signal: AbortSignal;
}

/** Writes the configuration of local sources; the same one again changes nothing. */
export async function seed(sources: NewSource[]): Promise<void> {
  const configuration = configurationStore();
  await configuration.put({ kind: "group", id: localGroup.groupId, value: group.parse(localGroup) });
  for (const one of sources) {
    await configuration.put({ kind: "source", id: one.sourceId, value: source.parse(one) });
  }
}

/**
 * The live sources of an imported configuration; `undefined` when nothing was imported yet. The demo's journal gives way
 * to them: its site is not there any more.
 */
export async function importedSources(): Promise<Source[] | undefined> {
  const configuration = configurationStore();
  const items = (await configuration.items()).filter(({ version }) => version !== undefined);
  if (items.length === 0) return undefined;
  await configuration.remove({ kind: "source", id: demoSourceId });
  return configurationOf(items).sources.filter(
    ({ deliveryMode, newlySynced }) => deliveryMode === "LIVE" && !newlySynced,
  );
}

/**
 * Brings the interrupted runs to their end, and starts one for the sources that none of them has covered. Gives the
 * report of each.
 */
export async function runNow(sources: Pick<NewSource, "sourceId">[], telling: Telling): Promise<RunReport[]> {
  const runs = runStore();
  const reports: RunReport[] = [];
  for (const run of await interruptedRuns()) {
    telling.tell(`finishing run ${run.runId}, which was interrupted`);
    await goOn(run);
    reports.push(await followRun(run.runId, runs, telling));
  }
  const isCovered = (source: SourceReport) => source.state === "read" && source.unreachable.length === 0;
  const covered = new Set(
    reports.flatMap((report) => report.sources.filter(isCovered).map(({ sourceId }) => sourceId)),
  );
  const sourceIds = sources.map(({ sourceId }) => sourceId).filter((sourceId) => !covered.has(sourceId));
  if (sourceIds.length > 0) {
    const start: RunStart = { deliveryMode: "LIVE", scheduledTime: new Date().toISOString(), sourceIds };
    await messageQueue<RunStart>("runStartsQueue").send(start);
    reports.push(await followRun(runIdOf(start), runs, telling));
  }
  return reports;
}

/** Oldest first. */
async function interruptedRuns(): Promise<Run[]> {
  const latest = await latestRuns("LIVE", runsLookedAt);
  return latest.filter(({ state }) => state !== "finished").reverse();
}

const queueOf: Record<Stage, keyof typeof variables> = {
  validate: "validateQueue",
  upload: "uploadQueue",
  archive: "archiveQueue",
  overdue: "overdueQueue",
  report: "reportsQueue",
};

/** A run that failed is asked for again at its stage; the others go on by the messages that were left. */
async function goOn({ runId, state, failure }: Run): Promise<void> {
  if (state !== "failed" || failure === undefined) return;
  await stageQueue(queueOf[failure.stage as Stage]).send({ runId });
}
