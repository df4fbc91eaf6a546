import { errorResponse } from "./error-response.ts";
import { seededRandom } from "./seeded-random.ts";
import type { ServiceResponse } from "./service.ts";

/**
 * What happens to a call of a function to a service: it does not arrive (`drop`), gets a server error without being
 * done (`fail`), comes late (`delay`), is done twice (`duplicate`), or is done without an answer (`lose answer`).
 */
export const callFaults = ["drop", "fail", "delay", "duplicate", "lose answer"] as const;

/**
 * What happens to a batch of messages for a function: it is delivered twice (`duplicate`), its messages are not deleted
 * (`lose answer`), the function's thread ends while it runs (`kill`), or the clock of all functions jumps (`clock
 * jump`).
 */
export const deliveryFaults = ["duplicate", "lose answer", "kill", "clock jump"] as const;

export type CallFault = (typeof callFaults)[number];
export type DeliveryFault = (typeof deliveryFaults)[number];
type FaultKind = CallFault | DeliveryFault;

/** A call to a service, as far as a choice of faults needs it. */
interface FaultyCall {
  /** The name of the calling function; undefined for the operator. */
  readonly functionName: string | undefined;
  /** The SDK's repeat of a call whose answer it has not seen. */
  readonly isRepeat: boolean;
}

/** A batch of messages for a function, as far as a choice of faults needs it. */
interface FaultyDelivery {
  readonly functionName: string;
  /** The invocations that run already: a `kill` ends them, too. */
  readonly otherInvocations: number;
}

/** Decides which calls and deliveries meet a fault. */
export interface Faults {
  ofCall(call: FaultyCall): CallFault | undefined;
  /** The fault of a delivery. A `clock jump` has happened when this returns. */
  ofDelivery(delivery: FaultyDelivery): DeliveryFault | undefined;
  /** The time that a `delay` takes, or until a `kill`. */
  pauseMs(): number;
  /** One Int32: how many milliseconds the clock of the functions is ahead. */
  readonly clockOffset: SharedArrayBuffer;
}

/** A jump of the functions' clock. */
interface ClockJump {
  /** Time of this process, by `performance.now()`. */
  readonly atMs: number;
  /** Negative for a jump back. */
  readonly byMs: number;
}

export interface RandomFaults extends Faults {
  /** How many faults of each kind there were so far. */
  counts(): Record<FaultKind, number>;
  jumps(): readonly ClockJump[];
}

interface FaultOptions {
  /** The probability of a fault at each call, from 0 to 1; three quarters as much at each delivery. */
  readonly probability: number;
  /** The same seed draws the same numbers; which calls get them depends on timing. */
  readonly seed: number;
  /** Functions that are not killed. */
  readonly spared?: readonly string[];
}

/** The clock of the functions stays within this of the right time, as hosts that synchronise their clocks do. */
const maxClockOffsetMs = 1500;

const maxPauseMs = 200;

/** A fault of a delivery concerns up to ten messages. */
const deliveryShare = 0.75;

/**
 * Kills are drawn twice as often, as most concern a thread that runs more; clock jumps, as they concern all threads.
 */
const drawnDeliveryFaults = [...deliveryFaults, "kill", "clock jump"] as const;

/**
 * Random faults of the functions. The operator's calls meet none: they prepare and observe. On AWS, an invocation has a
 * process of its own; here those of a function share a thread. So a thread is killed as much less often as it runs more
 * of them: else twenty invocations would die together, several times, until all their messages are dead letters.
 */
export function createFaults({ probability, seed, spared = [] }: FaultOptions): RandomFaults {
  const random = seededRandom(seed);
  const pick = <Kind>(kinds: readonly Kind[]) => kinds[Math.floor(random() * kinds.length)];
  const counts = Object.fromEntries([...callFaults, ...deliveryFaults].map((kind) => [kind, 0]));
  const jumps: ClockJump[] = [];
  const clockOffset = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const offset = new Int32Array(clockOffset);

  function count<Kind extends FaultKind>(kind: Kind | undefined): Kind | undefined {
    if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1;
    return kind;
  }

  /** Not for the first kill: on a busy machine a thread may run all of them before it. */
  function isTooManyAtOnce(otherInvocations: number): boolean {
    return (counts.kill ?? 0) > 0 && random() * (1 + otherInvocations) >= 1;
  }

  function jumpClock(): void {
    const wanted = Math.round((2 * random() - 1) * maxClockOffsetMs);
    const byMs = wanted - Atomics.exchange(offset, 0, wanted);
    jumps.push({ atMs: performance.now(), byMs });
  }

  return {
    ofCall: ({ functionName }) =>
      functionName === undefined || random() >= probability ? undefined : count(pick(callFaults)),
    ofDelivery: ({ functionName, otherInvocations }) => {
      if (random() >= deliveryShare * probability) return undefined;
      const kind = pick(drawnDeliveryFaults);
      if (kind === "kill" && (spared.includes(functionName) || isTooManyAtOnce(otherInvocations)))
        return undefined;
      if (kind === "clock jump") jumpClock();
      return count(kind);
    },
    pauseMs: () => random() * maxPauseMs,
    clockOffset,
    counts: () => ({ ...counts }) as Record<FaultKind, number>,
    jumps: () => jumps,
  };
}

/** How many faults of each kind there were, in one line. */
export function describeFaults(counts: Record<FaultKind, number>): string {
  const kinds = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
  const sum = Object.values(counts).reduce((all, count) => all + count, 0);
  return `${sum} (${kinds.join(", ")})`;
}

/**
 * Makes a call under a fault.
 * @param call makes it, once each time
 * @returns undefined when the caller gets no answer
 */
export async function callUnder(
  fault: CallFault | undefined,
  {
    service,
    pauseMs,
    call,
  }: { service: string; pauseMs: () => number; call: () => Promise<ServiceResponse> },
): Promise<ServiceResponse | undefined> {
  switch (fault) {
    case undefined:
      return call();
    case "drop":
      return undefined;
    case "fail":
      return errorResponse(service, { code: "InternalFailure", message: "an injected fault" });
    case "delay":
      await new Promise((resolve) => setTimeout(resolve, pauseMs()));
      return call();
    case "duplicate": {
      const answer = await call();
      await call();
      return answer;
    }
    case "lose answer":
      await call();
      return undefined;
  }
}
