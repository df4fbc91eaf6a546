import { setTimeout as sleep } from "node:timers/promises";
import { hostReader } from "../../shared/adapters/gate/host-reader.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { en } from "../../shared/console/texts/en.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { oneLine } from "../../shared/core/one-line.ts";
import { type UnfinishedRun, unfinishedRuns } from "../../shared/operations/today/unfinished-runs.ts";

const pollIntervalMs = 1000;

/** A shorter wait is not worth a line. */
const shortestWaitMs = 10_000;

interface WatchOptions {
  print: (line: string) => void;
  signal: AbortSignal;
}

/** Prints what unfinished runs wait for, as Today shows it, until the signal is aborted. */
export function watchWaits(options: WatchOptions): Promise<void> {
  const ports = { runs: runStore(), sources: sourceStore(), hosts: hostReader(), clock: systemClock };
  const list = async () => describeWaits(await unfinishedRuns(undefined, ports), systemClock.now());
  return printNewWaits(list, { ...options, everyMs: pollIntervalMs });
}

/** Prints each line once, when it is first listed. */
export async function printNewWaits(
  list: () => Promise<string[]>,
  { print, signal, everyMs }: WatchOptions & { everyMs: number },
): Promise<void> {
  let shown: readonly string[] = [];
  while (!signal.aborted) {
    const lines = await list();
    for (const line of lines) if (!shown.includes(line)) print(line);
    shown = lines;
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Describes the long waits of runs, in a line per source: the source, its host, the reason, and the end of the wait. */
export function describeWaits(runs: readonly UnfinishedRun[], now: Date): string[] {
  return runs
    .flatMap(({ sources }) => sources)
    .filter(({ waitsFor, until }) =>
      until === undefined
        ? waitsFor === "paused"
        : Date.parse(until) - now.getTime() >= shortestWaitMs && waitsFor !== "delay",
    )
    .map(({ title, hostKey, waitsFor, until }) => {
      const host = hostKey === undefined ? "" : ` (${hostKey})`;
      return oneLine(
        `waiting for ${title}${host}: ${en.today.waits[waitsFor]}${until === undefined ? "" : `, until ${until}`}`,
      );
    });
}
