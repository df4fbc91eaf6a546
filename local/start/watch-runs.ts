import { setTimeout as sleep } from "node:timers/promises";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { type RunReport, reportRun } from "../../shared/deliver/report/report.ts";
import { deliveredModes } from "../../shared/records/runs/run.ts";

const pollIntervalMs = 2000;

/** The maximum number of runs of a mode that may end between two polls. */
const maxRunsPerPoll = 5;

/** Reports each run that ends from now on, such as the daily ones, until the signal is aborted. */
export async function watchRuns(
  onEnded: (report: RunReport) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const runs = runStore();
  const reported = new Set<string>();
  const loadEndedRuns = async () => {
    const latest = await Promise.all(
      deliveredModes.map((mode) => runs.listLatest(mode, { limit: maxRunsPerPoll })),
    );
    return latest.flat().filter(({ state }) => state === "finished" || state === "failed");
  };
  for (const { runId, state } of await loadEndedRuns()) reported.add(`${runId} ${state}`);
  while (!signal.aborted) {
    for (const { runId, state } of await loadEndedRuns()) {
      if (reported.has(`${runId} ${state}`)) continue;
      reported.add(`${runId} ${state}`);
      await onEnded(await reportRun(runId, runs));
    }
    await sleep(pollIntervalMs, undefined, { signal }).catch(() => undefined);
  }
}
