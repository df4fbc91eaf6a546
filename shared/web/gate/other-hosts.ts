import type { Clock } from "../../core/clock.ts";
import type { GatePolicy } from "./gate-policy.ts";
import type { GateMessage } from "./gate-ports.ts";
import { readRequest } from "./read-request.ts";
import type { OtherGroups } from "./serve-groups.ts";

/**
 * Hosts that one invocation serves at the same time: the messages of a batch may each be of another host, and the memory of
 * the function is for as many. @see infra/stacks/requests.ts
 */
export const hostsPerInvocation = 10;

/** The time in which a group gets its exchanges, beside that of the last one. */
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
 * The groups of other hosts that an invocation of the gate takes from the queue while it waits. They are hidden for little
 * longer than the lease on their host lasts: when the invocation is killed, no host stands still for longer. What streams is
 * hidden as long as the invocation lasts.
 */
export function otherHosts({
  receive,
  hide,
  remainingMs,
  clock,
  policy,
}: OtherHostsPorts): OtherGroups<GateMessage> {
  const hiddenMs = hiddenMsOf(policy);
  return {
    most: hostsPerInvocation,
    mayTake: () => remainingMs() > hiddenMs,
    async take() {
      const receivedAtMs = clock.now().getTime();
      const messages = await receive(hiddenMs);
      const groups = [...Map.groupBy(messages, ({ attributes }) => attributes?.MessageGroupId).values()];
      return Promise.all(
        groups.map(async (group) => {
          const leftMs = remainingMs();
          const isLong = group.some(hasStream) && leftMs > hiddenMs;
          if (isLong) await hide(group, leftMs);
          const hiddenUntilMs = receivedAtMs + (isLong ? leftMs : hiddenMs);
          return group.map((message) => ({ ...message, hiddenUntilMs }));
        }),
      );
    },
    clock,
  };
}

/** How long taken messages are hidden. */
export function hiddenMsOf({ exchangeMaxMs }: Pick<GatePolicy, "exchangeMaxMs">): number {
  return exchangeMaxMs + servingMs + reserveMs;
}

/** The time that an invocation has for a group: not longer than its messages are hidden from others. */
export function remainingFor(
  [message]: readonly GateMessage[],
  { remainingMs, clock }: Pick<OtherHostsPorts, "remainingMs" | "clock">,
): () => number {
  const untilMs = message?.hiddenUntilMs;
  if (untilMs === undefined) return remainingMs;
  return () => Math.min(remainingMs(), untilMs - clock.now().getTime());
}

function hasStream({ body }: GateMessage): boolean {
  const request = readRequest(body);
  return typeof request === "object" && typeof request.bodyPolicy === "object";
}
