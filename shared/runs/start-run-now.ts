import type { Clock } from "../core/clock.ts";
import { type DeadlineSettings, deadlinesOf } from "./deadlines.ts";
import { buildRunId, type Run, type RunStart } from "./run.ts";
import type { RunStore } from "./run-store.ts";

export interface StartRunPorts extends DeadlineSettings {
  runs: Pick<RunStore, "create">;
  runStarts: { send(start: RunStart): Promise<void> };
  clock: Pick<Clock, "now">;
}

/**
 * Starts a run of an operator. The run can be asked for as soon as this returns.
 * @returns the run; its id has the first second, from now on, that no other run of the mode has
 */
export async function startRunNow(
  start: Omit<RunStart, "scheduledTime" | "deliveryMode"> & { deliveryMode: "LIVE" | "TEST" },
  ports: StartRunPorts,
): Promise<Run> {
  const { deliveryMode, newest } = start;
  const now = ports.clock.now();
  const startedAt = now.toISOString();
  const deadlines = deadlinesOf(now, ports);
  for (let second = Math.floor(now.getTime() / 1000); ; second += 1) {
    // Schedules start on whole minutes, and their run has all sources: theirs is not taken from them.
    if (second % 60 === 0) continue;
    const scheduledTime = new Date(second * 1000).toISOString();
    const run: Run = {
      runId: buildRunId({ deliveryMode, scheduledTime }),
      deliveryMode,
      state: "starting",
      startedAt,
      ...deadlines,
      ...(newest !== undefined && { newest }),
    };
    if ((await ports.runs.create(run)) !== run) continue;
    await ports.runStarts.send({ ...start, scheduledTime });
    return run;
  }
}
