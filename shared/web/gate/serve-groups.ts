import type { Clock } from "../../core/clock.ts";

/** The source of further message groups, in addition to those that the invocation was given. */
export interface OtherGroups<Message> {
  /** The largest number of groups served at the same time, including the given ones. */
  most: number;
  /** Returns whether the invocation has enough time for another group. */
  mayTake(): boolean;
  /** Receives messages of other groups, if there are any. */
  take(): Promise<Message[][]>;
  clock: Clock;
}

/** What a group learns about the groups that are served at the same time. */
export interface GroupTurn {
  /** Whether the invocation was given the group, rather than taking it from the queue. */
  isGiven: boolean;
  /** Returns the number of groups in the invocation that are being served or wait to be served, including this one. */
  atOnce(): number;
  /**
   * Resolves when the invocation has taken other groups for the first time: all available groups, or as many as it may
   * take.
   */
  isFilled: Promise<void>;
}

/** If a group is done sooner, no other groups are taken. */
const firstPauseMs = 100;

/** The pause after an attempt that received nothing. */
const emptyPauseMs = 5000;

/**
 * Serves the given groups and, while they wait for their hosts, other groups, because the time of an invocation costs
 * the same for one host as for many. A queue with many messages of a host gives an invocation the messages of that host
 * only.
 * @param serve must not reject
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
