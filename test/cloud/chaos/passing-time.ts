import { scheduler } from "node:timers/promises";
import type { LocalCloud } from "../../../local/cloud/cloud.ts";
import type { RandomFaults } from "../../../local/cloud/faults.ts";

interface World {
  cloud: LocalCloud;
  faults: RandomFaults;
}

/** How often the cloud is asked whether it only waits, in real time. */
const pollMs = 40;

/** As often as this, nothing but a wait must be seen before it is skipped: a test may be between two of its calls. */
const looksBeforeSkip = 3;

/** By so much more is skipped, as many messages and schedules are due shortly after each other. */
const slackMs = 5000;

/**
 * Lets the time pass until some work is done, and skips the waits of messages and schedules. The clock of this process
 * must be shifted by the faults' `worldOffset`.
 */
export async function whileTimePasses<Result>(work: Promise<Result>, world: World): Promise<Result> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  await skipWaits(() => isDone, Number.POSITIVE_INFINITY, world);
  return work;
}

/** Lets the time pass until this time, in milliseconds since the epoch, and skips the waits. */
export async function passTimeUntil(atMs: number, world: World): Promise<void> {
  await skipWaits(() => Date.now() >= atMs, atMs, world);
}

async function skipWaits(isDone: () => boolean, lastMs: number, { cloud, faults }: World): Promise<void> {
  for (let looks = 0; ; ) {
    await scheduler.wait(pollMs);
    const dueMs = cloud.nextDueMs() ?? 0;
    if (isDone()) return;
    const waitMs = Math.ceil(Math.min(dueMs + slackMs, lastMs) - Date.now());
    looks = dueMs > Date.now() && Number.isFinite(waitMs) ? looks + 1 : 0;
    if (looks < looksBeforeSkip) continue;
    faults.passTime(waitMs);
    looks = 0;
  }
}
