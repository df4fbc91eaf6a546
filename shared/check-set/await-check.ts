import type { Clock } from "../core/clock.ts";
import type { CheckRun, CheckStore } from "./check-run.ts";

const firstPauseMs = 100;
const maxPauseMs = 1000;

/** Waits for the result of a run until the given time at most, and returns the run in its current state. */
export async function awaitCheck(
  run: CheckRun,
  until: Date,
  { checks, clock }: { checks: Pick<CheckStore, "get">; clock: Clock },
): Promise<CheckRun> {
  let current = run;
  for (
    let pauseMs = firstPauseMs;
    current.result === undefined;
    pauseMs = Math.min(2 * pauseMs, maxPauseMs)
  ) {
    if (clock.now().getTime() + pauseMs > until.getTime()) return current;
    await clock.sleep(pauseMs);
    current = (await checks.get(run.checkId)) ?? current;
  }
  return current;
}
