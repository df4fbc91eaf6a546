import type { Clock } from "../../core/clock.ts";
import type { GatePolicy } from "./gate-policy.ts";
import type { GateMessage } from "./gate-ports.ts";
import type { GroupTurn, OtherGroups } from "./serve-groups.ts";

/** The number of hosts that one invocation serves at the same time. */
export const hostsPerInvocation = 50;

/** The number of bodies larger than 1 MiB that an invocation reads and stores at the same time. */
export const largeBodiesPerInvocation = 5;

/**
 * The memory of an invocation: 256 MiB for the function itself; three small bodies for each host, because one is being
 * stored while the next one is compressed and decompressed; and up to 32 MiB each of compressed and decompressed bytes
 * for each large body.
 */
export const gateMemoryMiB = 256 + hostsPerInvocation * 3 + largeBodiesPerInvocation * 2 * 32;

/**
 * The cost of a return to the queue, expressed as time of an invocation. Per million returns, calls, writes and a
 * further start cost US$ 3, and the time of the return itself about US$ 2. The cost of a wait inside the invocation is
 * divided by the number of hosts that wait together. @see docs/cost.md
 */
const returnCostMs = 400;

/**
 * The time that an invocation waits even for a single host. For a shorter wait, a return to the queue is not
 * worthwhile, because it takes whole seconds.
 */
const leastMaxWaitMs = 2000;

/** A Crawl-delay is rarely longer. The messages of a host must be done before the invocation ends. */
const mostMaxWaitMs = 10_000;

/**
 * Decides whether a wait costs less inside an invocation than a return to the queue. For a longer wait, the decision is
 * made after the invocation has taken as many hosts as it could.
 */
export async function waitsInside(
  waitMs: number,
  { isFilled, atOnce }: Pick<GroupTurn, "isFilled" | "atOnce">,
): Promise<boolean> {
  if (waitMs <= leastMaxWaitMs) return true;
  if (waitMs > mostMaxWaitMs) return false;
  const isCheaper = () => waitMs <= returnCostMs * atOnce();
  if (isCheaper()) return true;
  await isFilled;
  return isCheaper();
}

/**
 * The time that a group has for its exchanges, in addition to the time of the last one, before its messages must be
 * hidden for longer.
 */
const servingMs = 10_000;

/** The time at the end of a group for storing the last response. */
const reserveMs = 5000;

interface OtherHostsPorts {
  /** Receives up to ten messages and hides them from other invocations for this time. */
  receive(hiddenMs: number): Promise<GateMessage[]>;
  /** Hides messages for this time from now. */
  hide(messages: GateMessage[], forMs: number): Promise<void>;
  /** Returns the time left in the invocation. */
  remainingMs(): number;
  clock: Clock;
  policy: Pick<GatePolicy, "exchangeMaxMs">;
}

/**
 * Returns the source of groups of other hosts, which an invocation of the gate takes from the queue while it waits.
 * Their messages are hidden for little longer than the lease on their host lasts. If the invocation is killed, no host
 * is blocked for longer than that.
 */
export function otherHosts({
  receive,
  remainingMs,
  clock,
  policy,
}: Omit<OtherHostsPorts, "hide">): OtherGroups<GateMessage> {
  const hiddenMs = hiddenMsOf(policy);
  return {
    most: hostsPerInvocation,
    mayTake: () => remainingMs() > hiddenMs,
    async take() {
      const hiddenUntilMs = clock.now().getTime() + hiddenMs;
      const messages = (await receive(hiddenMs)).map((message) => ({ ...message, hiddenUntilMs }));
      return [...Map.groupBy(messages, ({ attributes }) => attributes?.MessageGroupId).values()];
    },
    clock,
  };
}

/** Returns how long the taken messages are hidden. */
export function hiddenMsOf({ exchangeMaxMs }: Pick<GatePolicy, "exchangeMaxMs">): number {
  return exchangeMaxMs + servingMs + reserveMs;
}

/**
 * Returns the function that decides whether an invocation has enough time for a group. If necessary, it hides the
 * messages that the invocation has taken for longer, each time for little longer than the next lease lasts.
 */
export function hasTimeFor(
  messages: GateMessage[],
  { remainingMs, hide, clock, policy }: Omit<OtherHostsPorts, "receive">,
): (neededMs: number) => Promise<boolean> {
  let untilMs = messages[0]?.hiddenUntilMs ?? Number.POSITIVE_INFINITY;
  return async (neededMs) => {
    const nowMs = clock.now().getTime();
    if (remainingMs() < neededMs || untilMs < nowMs) return false;
    if (untilMs - nowMs >= neededMs) return true;
    const forMs = Math.max(hiddenMsOf(policy), neededMs + servingMs);
    await hide(messages, forMs);
    untilMs = nowMs + forMs;
    return true;
  };
}
