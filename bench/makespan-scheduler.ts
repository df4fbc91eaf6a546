import { runByHost } from "../shared/web/scheduler/host-scheduler.ts";
import { VirtualClock } from "./makespan-clock.ts";
import { chainsMs, type Load, shortestMs } from "./makespan-loads.ts";

export interface InProcessRun {
  makespanMs: number;
  shortestMs: number;
  /**
   * The shortest possible time for any schedule with this run's first requests: no host can finish before its first request
   * plus the minimum time of all its requests.
   */
  shortestFromFirstAskedMs: number;
}

/** Runs a load through the command line's scheduler, which does not know the hosts' response times in advance. */
export async function runInProcess(load: Load, concurrency: number): Promise<InProcessRun> {
  const clock = new VirtualClock();
  const tries = new Uint8Array(load.requests);
  const firstAskedMs = new Map<number, number>();
  let makespanMs = 0;
  const done = runByHost({
    items: tries.keys(),
    hostOf: (request) => String(load.hostOf[request]),
    concurrency,
    clock,
    async serve(request) {
      const host = load.hostOf[request] ?? 0;
      if (!firstAskedMs.has(host)) firstAskedMs.set(host, clock.nowMs);
      await clock.sleep(load.serviceMs[request] ?? 0);
      makespanMs = clock.nowMs;
      const isBusy = tries[request] === 0 && load.busyOnce[request] === 1;
      tries[request] = (tries[request] ?? 0) + 1;
      return isBusy
        ? { delayMs: Math.max(load.delayMs, load.backoffMs), next: request }
        : { delayMs: load.delayMs };
    },
  });
  await clock.run();
  await done;
  const shortest = shortestMs(load, concurrency);
  const ends = chainsMs(load).map((chainMs, host) => chainMs + (firstAskedMs.get(host) ?? 0));
  return {
    makespanMs,
    shortestMs: shortest,
    shortestFromFirstAskedMs: ends.reduce((latest, end) => Math.max(latest, end), shortest),
  };
}
