import { messageQueue, stageQueues } from "../../shared/adapters/aws/queues.ts";
import { configurationStore } from "../../shared/adapters/records/configuration-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { daysBefore, utcDay } from "../../shared/core/day.ts";
import { inParallel } from "../../shared/core/in-parallel.ts";
import { resumeRuns } from "../../shared/deliver/pipeline/resume.ts";
import type { RunReport } from "../../shared/deliver/report/report.ts";
import type { SourceReport } from "../../shared/deliver/report/source-report.ts";
import { validationRuleStore } from "../../shared/deliver/stores/validation-rule-store.ts";
import { type NewCollection, readCollection } from "../../shared/links/status/collection.ts";
import { collectionStore } from "../../shared/links/stores/collection-store.ts";
import { reconcileTallies } from "../../shared/records/runs/reconcile.ts";
import { buildRunId, type Run, type RunFailure, type RunStart } from "../../shared/records/runs/run.ts";
import type { ConfigurationItem } from "../../shared/records/sources/configuration.ts";
import { group, type NewGroup } from "../../shared/records/sources/group.ts";
import { type NewSource, source } from "../../shared/records/sources/source.ts";
import { localGroup } from "../local-group.ts";
import { followRun } from "./follow-run.ts";
import type { LiveLine } from "./live-line.ts";
import {
  demoPapersSourceId,
  demoRules,
  demoSourceId,
  demoSupplementSource,
  demoSupplementSourceId,
} from "./seed.ts";

const maxParallelWrites = 16;

interface PrintOptions {
  print: (line: string) => void;
  live?: LiveLine | undefined;
  signal: AbortSignal;
}

/**
 * Stores local sources, their group and collections. Stored items keep the settings of operators, except
 * those that each start sets: the URLs of the sources, because the demo's port may change, and the User-Agent
 * of the group.
 */
export async function storeConfiguration(
  sources: NewSource[],
  collections: NewCollection[] = [],
  owner: NewGroup = localGroup,
): Promise<void> {
  const { userAgent } = owner;
  await storeItem({ kind: "group", id: owner.groupId, value: group.parse(owner) }, { userAgent });
  for (const one of sources) {
    const value = source.parse(one);
    await storeItem({ kind: "source", id: one.sourceId, value }, { url: value.url });
  }
  for (const one of collections) await storeCollection(one);
}

/** The number of days for which the demo's supplement has had no delivery. */
const supplementDays = 90;

/** Stores the supplement of the demo journal. If it is new, also stores the rules for its records. */
export async function storeDemoSupplement(feedUrl: string): Promise<NewSource> {
  const stored = await configurationStore().item({ kind: "source", id: demoSupplementSourceId });
  const rules = validationRuleStore();
  if (stored === undefined) await inParallel(demoRules, maxParallelWrites, (rule) => rules.put(rule));
  const supplement = demoSupplementSource(feedUrl, daysBefore(utcDay(systemClock.now()), supplementDays));
  await storeConfiguration([supplement]);
  return supplement;
}

async function storeItem(item: ConfigurationItem, decidedByStart: Record<string, unknown>): Promise<void> {
  const configuration = configurationStore();
  if (!(await configuration.setFields(item, decidedByStart))) await configuration.put(item);
}

/** Stores a collection unless it exists. @param decidedByStart fields that are set in either case */
export async function storeCollection(
  wanted: NewCollection,
  decidedByStart: Partial<NewCollection> = {},
): Promise<void> {
  const collections = collectionStore();
  const stored = await collections.get(wanted.collectionId);
  // Only an operator can correct an invalid collection.
  if (stored !== undefined && "unusable" in stored) return;
  await collections.save(readCollection({ ...(stored?.collection ?? wanted), ...decidedByStart }));
}

/**
 * Returns the live sources of an imported configuration, each with the User-Agent of its group; `undefined`
 * if nothing was imported. These sources replace the demo's journal, whose site then does not run.
 */
export async function loadImportedSources(): Promise<
  { sourceId: string; url: string; userAgent: string }[] | undefined
> {
  const configuration = configurationStore();
  const items = (await configuration.items()).filter(({ version }) => version !== undefined);
  if (items.length === 0) return undefined;
  for (const id of [demoSourceId, demoSupplementSourceId, demoPapersSourceId])
    await configuration.discard({ kind: "source", id });
  // Groups are not parsed here, because the run reports an invalid group.
  const groups = new Map(items.filter(({ kind }) => kind === "group").map(({ id, value }) => [id, value]));
  return items
    .filter(({ kind, value }) => kind === "source" && value.deliveryMode === "LIVE" && !value.newlySynced)
    .map(({ id, value }) => ({
      sourceId: id,
      url: String(value.url),
      userAgent: String(groups.get(String(value.groupId))?.userAgent ?? ""),
    }));
}

/**
 * Finishes interrupted runs, and starts a run for the sources that none of them has read before its deadline.
 * A run that fails again does not block the others.
 * @returns the report of each run, with that of the new run last
 */
export async function runDelivery(
  sources: Pick<NewSource, "sourceId">[],
  options: PrintOptions,
): Promise<RunReport[]> {
  const runs = runStore();
  const follow = (runId: string, earlierFailure?: RunFailure) => {
    options.print(`finishing run ${runId}, which was interrupted`);
    return followRun(runId, runs, { ...options, earlierFailure });
  };
  const interrupted = await runs.listUnfinished("LIVE");
  const underWay = interrupted.filter((run) => isUnderWay(run, systemClock.now()));
  const ended: RunReport[] = [];
  for (const { runId, state } of underWay) {
    // If a tally has lost an update, the run would stay open until its deadline.
    if (state === "harvesting") await reconcileTallies(runId, { runs, delivery: stageQueues().validate });
    ended.push(await follow(runId));
  }
  const finished = ended.filter(({ run }) => run.state === "finished");
  const isCovered = (source: SourceReport) => source.state === "read" && source.unreachable.count === 0;
  const covered = new Set(
    finished.flatMap((report) => report.sources.filter(isCovered).map(({ sourceId }) => sourceId)),
  );
  const sourceIds = sources.map(({ sourceId }) => sourceId).filter((sourceId) => !covered.has(sourceId));
  const stopped = [
    ...interrupted.filter((run) => !underWay.includes(run)),
    ...ended.filter((report) => !finished.includes(report)).map(({ run }) => run),
  ];
  const scheduledTime = new Date().toISOString();
  const start: RunStart = { deliveryMode: "LIVE", scheduledTime, sourceIds, waitsForAll: true };
  // A start resumes failed runs automatically. Resuming them here as well would run and mail each of them
  // twice.
  if (sourceIds.length > 0) await messageQueue<RunStart>("runStartsQueue").send(start);
  else await resumeRuns("LIVE", { runs, stageQueues: stageQueues(), clock: systemClock });
  const resumed: RunReport[] = [];
  for (const { runId, failure } of stopped) resumed.push(await follow(runId, failure));
  const begun = sourceIds.length > 0 ? [await followRun(buildRunId(start), runs, options)] : [];
  return [...resumed, ...finished, ...begun];
}

/**
 * Returns whether an earlier run was only interrupted: its messages are in the queues, and its deadline has
 * not passed.
 */
function isUnderWay({ state, deadlineAt }: Run, now: Date): boolean {
  return state !== "failed" && state !== "finished" && Date.parse(deadlineAt) > now.getTime();
}
