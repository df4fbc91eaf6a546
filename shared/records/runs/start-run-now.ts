import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { PlatformError } from "../../core/errors.ts";
import type { LeaseStore } from "../../core/lease.ts";
import { type DeadlineSettings, deadlinesOf } from "./deadlines.ts";
import { acceptsOutcomes, buildRunId, type Run, type RunStart } from "./run.ts";
import type { RunStore } from "./run-store.ts";

export interface StartRunPorts extends DeadlineSettings {
  runs: Pick<RunStore, "create" | "get" | "listUnfinished">;
  leases: Pick<LeaseStore, "claim" | "release">;
  runStarts: { send(start: RunStart): Promise<void> };
  clock: Pick<Clock, "now">;
}

type Wanted = Pick<RunStart, "sourceIds"> & { deliveryMode: "LIVE" | "TEST" };

interface StartedRun {
  run: Run;
  /** Set when the run was already in progress, so nothing was started. */
  isUnderWay?: true;
}

/** The number of tries, because several starts may compete for the same time. */
const maxTries = 10;

/**
 * Starts a run for an operator, unless a run of the same sources is in progress and still reads them. If two operators
 * start the same run at once, both get the same run. The run can be read as soon as this function returns.
 * @returns the run; the id of a new run contains the first second, from now on, that no other run of the mode uses
 */
export async function startRunNow(wanted: Wanted, ports: StartRunPorts): Promise<StartedRun> {
  const { deliveryMode, sourceIds } = wanted;
  const scheduled = sourceIds === undefined ? await findScheduled(deliveryMode, ports) : undefined;
  if (scheduled !== undefined) return { run: scheduled, isUnderWay: true };
  const names = sourceIds === undefined ? ["all"] : ["named", ...new Set(sourceIds.toSorted())];
  const key = `run-now#${deliveryMode}#${digest(...names)}`;
  const holder = crypto.randomUUID();
  for (let tries = 0; tries < maxTries; tries += 1) {
    const now = ports.clock.now();
    const scheduledTime = await freeTime(deliveryMode, now, ports);
    const untilMs = now.getTime() + ports.runDeadlineMinutes * 60_000;
    const lease = await ports.leases.claim({ key, holder, untilMs, note: { scheduledTime } }, now.getTime());
    if (lease.holder === holder) {
      const run = await create({ deliveryMode, scheduledTime, startKey: key }, now, ports);
      // Another start of the mode has taken this second.
      if (run === undefined) continue;
      await ports.runStarts.send({ ...wanted, scheduledTime });
      return { run };
    }
    const start = { ...wanted, scheduledTime: lease.note?.scheduledTime ?? scheduledTime };
    const other = await joinStart(start, key, ports);
    if (other !== undefined) return { run: other, isUnderWay: true };
    await ports.leases.release(lease);
  }
  throw new PlatformError(`other requests keep starting runs of the mode ${deliveryMode}: try again`);
}

/** Returns a run that a schedule has started, and that therefore reads all sources, if it still reads them. */
async function findScheduled(
  mode: Wanted["deliveryMode"],
  { runs }: StartRunPorts,
): Promise<Run | undefined> {
  for (const { runId } of await runs.listUnfinished(mode)) {
    // The list may be out of date. Schedules start on whole minutes; operators do not.
    const run = runId.endsWith("00Z") ? await runs.get(runId) : undefined;
    if (acceptsOutcomes(run)) return run;
  }
  return undefined;
}

/** Returns the first second, from now on, for which no run exists. Whole minutes are reserved for schedules. */
async function freeTime(
  deliveryMode: Wanted["deliveryMode"],
  now: Date,
  { runs }: StartRunPorts,
): Promise<string> {
  for (let second = Math.floor(now.getTime() / 1000); ; second += 1) {
    if (second % 60 === 0) continue;
    const scheduledTime = new Date(second * 1000).toISOString();
    if ((await runs.get(buildRunId({ deliveryMode, scheduledTime }))) === undefined) return scheduledTime;
  }
}

/**
 * Creates a run.
 * @returns undefined when the run exists
 */
async function create(
  {
    deliveryMode,
    scheduledTime,
    startKey,
  }: Pick<Run, "deliveryMode"> & { scheduledTime: string; startKey: string },
  now: Date,
  ports: StartRunPorts,
): Promise<Run | undefined> {
  const run: Run = {
    runId: buildRunId({ deliveryMode, scheduledTime }),
    deliveryMode,
    state: "starting",
    startKey,
    startedAt: now.toISOString(),
    ...deadlinesOf(now, ports),
  };
  return (await ports.runs.create(run)) === run ? run : undefined;
}

/**
 * Returns the run that another process has started or is starting. If that process was killed, the run is started here.
 * This is safe, because starts with the same time are the same run.
 * @returns undefined when the run no longer reads its sources, or when a start of other sources has taken the time (the
 * lease contains the id before the run exists)
 */
async function joinStart(
  start: Wanted & Pick<RunStart, "scheduledTime">,
  startKey: string,
  ports: StartRunPorts,
): Promise<Run | undefined> {
  const created = await create({ ...start, startKey }, ports.clock.now(), ports);
  const run = created ?? (await ports.runs.get(buildRunId(start)));
  if (!acceptsOutcomes(run) || run.startKey !== startKey) return undefined;
  if (run.state === "starting") await ports.runStarts.send(start);
  return run;
}
