import { setTimeout as delay } from "node:timers/promises";
import type { Emulators } from "./emulators.ts";
import type { EventSource } from "./event-sources.ts";
import type { LocalFunction } from "./functions.ts";
import { startPoller } from "./poller.ts";
import type { Shutdown } from "./shutdown.ts";

export interface Polling {
  pause(): void;
  resume(): void;
  /** Resolves when no function is at work and no message waits for one, now or later. */
  idle(): Promise<void>;
}

interface Options {
  readonly emulators: Emulators;
  readonly functions: ReadonlyMap<string, LocalFunction>;
  readonly region: string;
  readonly shutdown: Shutdown;
}

/** Starts the pollers of all event sources. */
export function startPolling(
  sources: readonly EventSource[],
  { emulators, functions, region, shutdown }: Options,
): Polling {
  const pollers = sources.map((source) => startPoller(source, { sqs: emulators.sqs, region }));
  shutdown.add(async () => {
    const stopping = pollers.map((poller) => poller.stop());
    emulators.endWaits();
    await Promise.all(stopping);
  });

  function isIdle(): boolean {
    const isAtWork = [...functions.values()].some((each) => each.busy() > 0);
    return !isAtWork && sources.every(({ queueName }) => isEmpty(queueName));
  }

  function isEmpty(queueName: string): boolean {
    const { visible, inFlight, delayed } = emulators.depth(queueName);
    return visible + inFlight + delayed === 0;
  }

  return {
    pause: () => {
      for (const poller of pollers) poller.pause();
      emulators.endWaits();
    },
    resume: () => {
      for (const poller of pollers) poller.resume();
    },
    idle: async () => {
      while (!isIdle()) await delay(10);
    },
  };
}
