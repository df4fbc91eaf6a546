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

/** What a group may know of those that are served beside it. */
export interface GroupTurn {
  /** Whether the invocation was given the group, and has not taken it. */
  isGiven: boolean;
  /** Groups that are being served, or wait for it in the invocation; this one included. */
  atOnce(): number;
  /** Resolves when the invocation has taken other groups for the first time: all that there were, or as many as it may. */
  isFilled: Promise<void>;
}

/** A group that is done sooner leaves no time for others. */
const firstPauseMs = 100;

/** How long nothing is received after there was nothing. */
const emptyPauseMs = 5000;

/**
 * Serves the groups that an invocation was given, and while it waits for their hosts, other groups: its time costs the same for
 * one host as for many. A queue that has many messages of a host gives an invocation that host alone.
 * @param serve must not reject; it learns how many are being served at the time, itself included
 */
export async function serveGroups<Message>(
  given: Message[][],
  serve: (group: Message[], about: GroupTurn) => Promise<void>,
  others: OtherGroups<Message> | undefined,
): Promise<void> {
  const active = new Set<Promise<void>>();
  const waiting: Message[][] = [];
  const filled = Promise.withResolvers<void>();
  if (others === undefined) filled.resolve();
  const atOnce = () => active.size + waiting.length;
  const start = (group: Message[], isGiven: boolean) => {
    const serving = serve(group, { isGiven, atOnce, isFilled: filled.promise }).finally(() =>
      active.delete(serving),
    );
    active.add(serving);
  };
  for (const group of given) start(group, true);
  for (let pauseMs = firstPauseMs; others !== undefined && active.size + waiting.length > 0; ) {
    const next = active.size < others.most ? waiting.shift() : undefined;
    if (next !== undefined) start(next, false);
    else if (active.size >= others.most || !others.mayTake()) {
      filled.resolve();
      await Promise.race(active);
    } else {
      await Promise.race([others.clock.sleep(pauseMs), Promise.all(active)]);
      if (active.size === 0) break;
      waiting.push(...(await others.take()));
      pauseMs = waiting.length > 0 ? 0 : emptyPauseMs;
      if (waiting.length === 0) filled.resolve();
    }
  }
  await Promise.all(active);
}
