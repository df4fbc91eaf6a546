import { runByHost } from "../shared/web/host-scheduler.ts";
import { VirtualClock } from "./makespan-clock.ts";
import { type Load, shortestMs } from "./makespan-loads.ts";

/** Runs a load through the in-process scheduler of the command line. What each host takes is not told in advance. */
export async function runInProcess(
  load: Load,
  concurrency: number,
): Promise<{ makespanMs: number; shortestMs: number }> {
  const clock = new VirtualClock();
  const tries = new Uint8Array(load.requests);
  let makespanMs = 0;
  const done = runByHost({
    items: tries.keys(),
    hostOf: (request) => String(load.hostOf[request]),
    concurrency,
    clock,
    async serve(request) {
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
  return { makespanMs, shortestMs: shortestMs(load, concurrency) };
}
