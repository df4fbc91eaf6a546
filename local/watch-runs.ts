import { setTimeout as sleep } from "node:timers/promises";
import { runStore } from "../shared/aws/harvest/run-store.ts";
import { type RunReport, reportRun } from "../shared/delivery/report/report.ts";
import { deliveredModes } from "../shared/harvest/run.ts";

const lookEveryMs = 2000;

/** How many runs of a mode may end between two looks. */
const runsLookedAt = 5;

/** Hands on the report of each run that ends from now on, such as the daily ones, until the signal. */
export async function watchRuns(
  ended: (report: RunReport) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const runs = runStore();
  const told = new Set<string>();
  const endedNow = async () => {
    const latest = await Promise.all(
      deliveredModes.map((mode) => runs.latest(mode, { limit: runsLookedAt })),
    );
    return latest.flat().filter(({ state }) => state === "finished" || state === "failed");
  };
  for (const { runId, state } of await endedNow()) told.add(`${runId} ${state}`);
  while (!signal.aborted) {
    for (const { runId, state } of await endedNow()) {
      if (told.has(`${runId} ${state}`)) continue;
      told.add(`${runId} ${state}`);
      await ended(await reportRun(runId, runs));
    }
    await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}
