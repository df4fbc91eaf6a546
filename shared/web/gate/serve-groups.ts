import type { Clock } from "../../core/clock.ts";

/** Where an invocation takes message groups from, beside those that it was given. */
export interface OtherGroups<Message> {
  /** Groups served at the same time, those that were given included. */
  most: number;
  /** Whether the invocation has the time for another group. */
  mayTake(): boolean;
  /** Receives messages of other groups, if there are any. */
  take(): Promise<Message[][]>;
  clock: Clock;
}

/** A group that is done sooner leaves no time for others. */
const firstPauseMs = 300;

/** How long nothing is received after there was nothing. */
const emptyPauseMs = 5000;

/**
 * Serves the groups that an invocation was given, and while it waits for their hosts, other groups: its time costs the same for
 * one host as for ten. A queue that has many messages of a host gives an invocation that host alone.
 * @param serve must not reject; `isLast` says whether it is the only one that is being served
 */
export async function serveGroups<Message>(
  given: Message[][],
  serve: (group: Message[], about: { isGiven: boolean; isLast: () => boolean }) => Promise<void>,
  others: OtherGroups<Message> | undefined,
): Promise<void> {
  const active = new Set<Promise<void>>();
  const waiting: Message[][] = [];
  const isLast = () => active.size === 1 && waiting.length === 0;
  const start = (group: Message[], isGiven: boolean) => {
    const serving = serve(group, { isGiven, isLast }).finally(() => active.delete(serving));
    active.add(serving);
  };
  for (const group of given) start(group, true);
  for (let pauseMs = firstPauseMs; others !== undefined && active.size + waiting.length > 0; ) {
    const next = active.size < others.most ? waiting.shift() : undefined;
    if (next !== undefined) start(next, false);
    else if (active.size >= others.most || !others.mayTake()) await Promise.race(active);
    else {
      await Promise.race([others.clock.sleep(pauseMs), Promise.all(active)]);
      if (active.size === 0) break;
      waiting.push(...(await others.take()));
      pauseMs = waiting.length > 0 ? 0 : emptyPauseMs;
    }
  }
  await Promise.all(active);
}
