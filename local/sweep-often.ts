import { setTimeout as sleep } from "node:timers/promises";
import { scheduleNames } from "../shared/names.ts";
import type { LocalCloud } from "./cloud/cloud.ts";

/** Sweeps all collections more often than in production, at once and from start to start of a sweep, until the signal. */
export async function sweepOften(
  everyMs: number,
  { cloud, signal }: { cloud: Pick<LocalCloud, "runSchedule">; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const nextMs = Date.now() + everyMs;
    await cloud.runSchedule(scheduleNames.sweepCollections);
    await sleep(Math.max(0, nextMs - Date.now()), undefined, { signal }).catch(() => undefined);
  }
}
