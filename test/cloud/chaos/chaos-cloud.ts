import type { LocalCloud } from "../../../local/cloud/cloud.ts";
import { createFaults, describeFaults, type RandomFaults } from "../../../local/cloud/faults.ts";
import type { FunctionLog } from "../../../local/cloud/lambda/function-log.ts";
import { shiftClock } from "../../../local/cloud/lambda/shift-clock.ts";
import { openCloud } from "../../../local/open-cloud.ts";
import { afterFile } from "../../after-file.ts";
import { stateFolder } from "../local-cloud.ts";
import { recordedPermissions } from "../permissions/recorder.ts";
import { EventTruth } from "./event-truth.ts";
import { passTimeUntil, whileTimePasses } from "./passing-time.ts";

/** `npm run chaos`: more of everything. */
export const isLong = process.env.CHAOS === "long";

/** Of all faults. `CHAOS_SEED` repeats those of another run. */
export const seed = Number(process.env.CHAOS_SEED ?? 20_261_122);

/** The time limit of a part, for slow machines. */
export const partMs = isLong ? 3_600_000 : 300_000;

interface ChaosCloudOptions {
  hosts: string[];
  probability?: number;
  /** Of a fault of each delivery of messages; higher where few messages are sent. */
  deliveryProbability?: number;
  /** The functions that are never killed. */
  spared?: string[];
  maxClockOffsetMs?: number;
  memoryMb?: Record<string, number>;
  onLog?: (line: FunctionLog) => void;
}

/** A cloud whose calls and functions fail, and whose clock skips what is only a wait. */
export interface ChaosCloud {
  cloud: LocalCloud;
  stateDir: string;
  faults: RandomFaults;
  events: EventTruth;
  /** Lets the time pass until this work is done. */
  until<Result>(work: Promise<Result>): Promise<Result>;
  /** Lets the time pass until this time, in milliseconds since the epoch. */
  untilTime(atMs: number): Promise<void>;
}

/**
 * The longest exchange, and so how long the host of a killed worker waits. The servers of the tests answer at once, but
 * on a busy machine.
 */
const exchangeMaxMs = 6000;

/** Opens a cloud with faults, which ends with the file's tests. Prints its seed, and the faults that there were. */
export async function openChaosCloud(part: string, options: ChaosCloudOptions): Promise<ChaosCloud> {
  const { hosts, probability = isLong ? 0.15 : 0.18, memoryMb, onLog, ...rest } = options;
  const faults = createFaults({ probability, seed, ...rest });
  shiftClock(faults.worldOffset);
  const events = new EventTruth();
  const stateDir = stateFolder();
  console.info(`Chaos, ${part}: to repeat it, CHAOS_SEED=${seed}`);
  const cloud = await openCloud({
    onEvent: events.onEvent,
    ...recordedPermissions(),
    stateDir,
    apiPort: 0,
    schedules: "none",
    allowedPrivateHosts: hosts,
    attempts: 4,
    backoffBaseMs: 50,
    defaultDelayMs: 20,
    exchangeMaxMs,
    faults,
    ...(memoryMb && { memoryMb }),
    ...(onLog && { onLog }),
  });
  afterFile(async () => {
    console.info(`Chaos, ${part}: ${describeFaults(faults.counts())}`);
    await cloud.stop();
  });
  const world = { cloud, faults };
  return {
    ...world,
    stateDir,
    events,
    until: (work) => whileTimePasses(work, world),
    untilTime: (atMs) => passTimeUntil(atMs, world),
  };
}
