import type { Clock } from "../../core/clock.ts";
import type { GatePolicy } from "./gate-policy.ts";
import type { GateMessage } from "./gate-ports.ts";
import type { GroupTurn, OtherGroups } from "./serve-groups.ts";

/** Hosts that one invocation serves at the same time. */
export const hostsPerInvocation = 50;

/** Bodies of more than a MiB that it reads and stores at the same time. */
export const largeBodiesPerInvocation = 5;

/**
 * The memory of an invocation: 256 MiB for itself; for each host three small bodies, as one is being stored and the
 * next one is compressed and decompressed; for each large body up to 32 MiB of both.
 */
export const gateMemoryMiB = 256 + hostsPerInvocation * 3 + largeBodiesPerInvocation * 2 * 32;

/**
 * What a return to the queue costs, in time of an invocation: calls, writes and a further start are 3 US$ per million
 * requests, and its own time about 2. A wait inside is divided by the hosts that wait together. @see docs/cost.md
 */
const returnCostMs = 400;

/** How long an invocation waits for a host alone: shorter times are not worth the return, which takes whole seconds. */
const leastMaxWaitMs = 2000;

/** A Crawl-delay is rarely longer. The messages of a host must be done before the invocation ends. */
const mostMaxWaitMs = 10_000;

/**
 * Whether a wait costs less inside an invocation than a return to the queue. For a longer one it is decided when the
 * invocation has taken the hosts that it could.
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

/** The time in which a group gets its exchanges, beside that of the last one, until it is hidden for longer. */
const servingMs = 10_000;

/** The time at the end of a group for storing the last response. */
const reserveMs = 5000;

interface OtherHostsPorts {
  /** Receives up to ten messages, which are hidden from others for so long. */
  receive(hiddenMs: number): Promise<GateMessage[]>;
  /** Hides messages for another time from now. */
  hide(messages: GateMessage[], forMs: number): Promise<void>;
  /** The time left in the invocation. */
  remainingMs(): number;
  clock: Clock;
  policy: Pick<GatePolicy, "exchangeMaxMs">;
}

/**
 * The groups of other hosts that an invocation of the gate takes from the queue while it waits. They are hidden for
 * little longer than the lease on their host lasts: when the invocation is killed, no host stands still for longer.
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

/** How long taken messages are hidden. */
export function hiddenMsOf({ exchangeMaxMs }: Pick<GatePolicy, "exchangeMaxMs">): number {
  return exchangeMaxMs + servingMs + reserveMs;
}

/**
 * Whether an invocation has the time for what a group needs. Messages that it has taken are hidden for longer where
 * needed: each time for little longer than the next lease lasts.
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
