import { setTimeout as delay } from "node:timers/promises";
import type { Emulators } from "../emulators.ts";
import type { Faults } from "../faults.ts";
import { type Meter, meterPoller } from "../meter.ts";
import type { Shutdown } from "../shutdown.ts";
import type { SwitchedPollers } from "./event-source-mappings.ts";
import type { EventSource } from "./event-sources.ts";
import type { LocalFunction } from "./functions.ts";
import { Poller } from "./poller.ts";

interface Pollers extends SwitchedPollers {
  pause(): void;
  resume(): void;
  /** Resolves when no function is running and no queue has messages, visible or delayed. */
  waitUntilIdle(): Promise<void>;
  /** Returns when a message can be received; see `Emulators`. Undefined while a function is running. */
  nextReceivableMs(): number | undefined;
}

/**
 * How long a stop waits for running invocations. The messages of interrupted invocations are received again
 * at the next start.
 */
const stopTimeoutMs = 5_000;

interface Options {
  readonly emulators: Emulators;
  readonly functions: ReadonlyMap<string, LocalFunction>;
  readonly region: string;
  /** If true, polling starts only when `resume` is called. */
  readonly isPaused: boolean;
  readonly faults: Faults | undefined;
  readonly meter: Meter | undefined;
  readonly shutdown: Shutdown;
}

/** Starts the pollers of all event sources. */
export function startPollers(
  sources: readonly EventSource[],
  { emulators, functions, region, isPaused, faults, meter, shutdown }: Options,
): Pollers {
  let arePaused = isPaused;
  const pollers = new Map(
    sources.map((source) => [
      source,
      {
        poller: new Poller(source, {
          sqs: meterPoller(emulators.sqs, source.target.name, meter),
          region,
          isPaused,
          faults,
        }),
        isEnabled: true,
        isOn: !isPaused,
      },
    ]),
  );
  const apply = () => {
    for (const each of pollers.values()) {
      const isOn = each.isEnabled && !arePaused;
      if (isOn === each.isOn) continue;
      each.isOn = isOn;
      if (isOn) each.poller.resume();
      else each.poller.pause();
    }
    emulators.endLongPolls();
  };
  shutdown.add(async () => {
    const stopping = Promise.all([...pollers.values()].map(({ poller }) => poller.stop()));
    emulators.endLongPolls();
    const patience = new AbortController();
    await Promise.race([stopping, delay(stopTimeoutMs, undefined, patience).catch(() => {})]);
    patience.abort();
  });

  const isRunning = () => [...functions.values()].some((each) => each.activeInvocations() > 0);

  async function isIdle(): Promise<boolean> {
    if (isRunning()) return false;
    const depths = await Promise.all(sources.map(({ queueName }) => emulators.depth(queueName)));
    return depths.every(({ visible, inFlight, delayed }) => visible + inFlight + delayed === 0);
  }

  function nextReceivableMs(): number | undefined {
    if (isRunning() || [...pollers.values()].some(({ poller }) => poller.isBusy())) return undefined;
    return emulators.nextReceivableMs?.(sources.map(({ queueName }) => queueName));
  }

  return {
    pause: () => {
      arePaused = true;
      apply();
    },
    resume: () => {
      arePaused = false;
      apply();
    },
    isEnabled: (source) => pollers.get(source)?.isEnabled ?? false,
    enable: (source, isEnabled) => {
      const known = pollers.get(source);
      if (known === undefined) return;
      known.isEnabled = isEnabled;
      apply();
    },
    waitUntilIdle: async () => {
      while (!(await isIdle())) await delay(10);
    },
    nextReceivableMs,
  };
}
