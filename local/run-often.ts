import { setTimeout as sleep } from "node:timers/promises";
import type { LocalCloud } from "./cloud/cloud.ts";

/** Fires a schedule at once and then periodically, from start to start, until the signal. */
export async function runOften(
  scheduleName: string,
  everyMs: number,
  { cloud, signal }: { cloud: Pick<LocalCloud, "runSchedule">; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const nextMs = Date.now() + everyMs;
    await cloud.runSchedule(scheduleName);
    await sleep(Math.max(0, nextMs - Date.now()), undefined, { signal }).catch(() => undefined);
  }
}
