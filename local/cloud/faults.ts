import { errorResponse } from "./error-response.ts";
import { seededRandom } from "./seeded-random.ts";
import type { ServiceResponse } from "./service.ts";

/**
 * The faults of a call from a function to a service.
 * - `drop`: the call does not reach the service.
 * - `fail`: the service returns a server error without doing the operation.
 * - `delay`: the call is delayed.
 * - `duplicate`: the operation is done twice.
 * - `lose answer`: the operation is done, but its response is lost.
 */
export const callFaults = ["drop", "fail", "delay", "duplicate", "lose answer"] as const;

/**
 * The faults of the delivery of a batch of messages to a function.
 * - `duplicate`: the batch is delivered twice.
 * - `lose answer`: the messages are not deleted after the invocation.
 * - `kill`: the function's thread ends during the invocation.
 * - `clock jump`: the clock of all functions jumps.
 */
export const deliveryFaults = ["duplicate", "lose answer", "kill", "clock jump"] as const;

export type CallFault = (typeof callFaults)[number];
export type DeliveryFault = (typeof deliveryFaults)[number];
type FaultKind = CallFault | DeliveryFault;

/** The properties of a call to a service by which faults are chosen. */
interface FaultyCall {
  /** The name of the calling function; undefined for the operator. */
  readonly functionName: string | undefined;
  /** Whether the SDK repeats a call for which it received no response. */
  readonly isRepeat: boolean;
}

/** The properties of a delivery to a function by which faults are chosen. */
interface FaultyDelivery {
  readonly functionName: string;
  /** The number of other invocations in progress, which a `kill` also ends. */
  readonly otherInvocations: number;
}

/** Decides which calls and deliveries have a fault. */
export interface Faults {
  ofCall(call: FaultyCall): CallFault | undefined;
  /** Returns the fault of a delivery. A `clock jump` has already happened when this returns. */
  ofDelivery(delivery: FaultyDelivery): DeliveryFault | undefined;
  /** Returns the duration of a `delay`, or the time until a `kill`. */
  pauseMs(): number;
  /** One Int32: the number of milliseconds by which the clock of the functions is ahead. */
  readonly clockOffset: SharedArrayBuffer;
}

/** A jump of the functions' clock. */
interface ClockJump {
  /** The time of the jump in this process, by `performance.now()`. */
  readonly atMs: number;
  /** The size of the jump in milliseconds; negative for a jump backwards. */
  readonly byMs: number;
}

export interface RandomFaults extends Faults {
  /** Returns the number of faults so far, by kind. */
  counts(): Record<FaultKind, number>;
  jumps(): readonly ClockJump[];
  /** Lets this time pass at once, for the functions and for this process (see `worldOffset`). */
  passTime(ms: number): void;
  /** One Int32: the number of milliseconds that have passed at once. See `shiftClock`. */
  readonly worldOffset: SharedArrayBuffer;
}

interface FaultOptions {
  /** The probability of a fault of each call, from 0 to 1. */
  readonly probability: number;
  /**
   * The probability of a fault of each delivery. Default: three quarters of that of a call, because such a fault
   * affects up to ten messages.
   */
  readonly deliveryProbability?: number;
  /**
   * The seed of the random numbers. The same seed yields the same numbers, but their assignment to calls
   * depends on timing.
   */
  readonly seed: number;
  /** The functions that are never killed. */
  readonly spared?: readonly string[];
  /**
   * The maximum deviation of the functions' clock from the correct time. Default: 1.5 s, as on hosts that
   * synchronise their clocks.
   */
  readonly maxClockOffsetMs?: number;
}

const maxPauseMs = 200;

/**
 * The faults from which a delivery's fault is drawn. `kill` is listed twice, because most kills are skipped
 * when their thread runs other invocations; `clock jump` is listed twice, because it affects all threads.
 */
const drawnDeliveryFaults = [...deliveryFaults, "kill", "clock jump"] as const;

/**
 * Creates random faults for the functions. Calls of the operator have no faults, because they prepare and
 * observe tests.
 * On AWS, each invocation runs alone in its environment; in the local cloud, the invocations of a function
 * share a thread. A kill is therefore skipped more often, the more invocations the thread runs. Otherwise,
 * twenty invocations would end together, several times, until all of their messages are dead-lettered.
 */
export function createFaults({
  probability,
  deliveryProbability = 0.75 * probability,
  seed,
  spared = [],
  maxClockOffsetMs = 1500,
}: FaultOptions): RandomFaults {
  const random = seededRandom(seed);
  const pick = <Kind>(kinds: readonly Kind[]) => kinds[Math.floor(random() * kinds.length)];
  const counts = Object.fromEntries([...callFaults, ...deliveryFaults].map((kind) => [kind, 0]));
  const jumps: ClockJump[] = [];
  const clockOffset = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const offset = new Int32Array(clockOffset);
  const worldOffset = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const passed = new Int32Array(worldOffset);

  function count<Kind extends FaultKind>(kind: Kind | undefined): Kind | undefined {
    if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1;
    return kind;
  }

  /**
   * Decides whether a kill is skipped because too many invocations would end. The first kill is never
   * skipped: on a busy machine, a thread may run all invocations before the next one.
   */
  function isTooManyAtOnce(otherInvocations: number): boolean {
    return (counts.kill ?? 0) > 0 && random() * (1 + otherInvocations) >= 1;
  }

  /** The clock jumps to the other side of the correct time, so that a few jumps already go in both directions. */
  function jumpClock(): void {
    const side = (counts["clock jump"] ?? 0) % 2 === 0 ? 1 : -1;
    const wanted = Atomics.load(passed, 0) + side * Math.round(((1 + random()) / 2) * maxClockOffsetMs);
    const byMs = wanted - Atomics.exchange(offset, 0, wanted);
    jumps.push({ atMs: performance.now(), byMs });
  }

  return {
    ofCall: ({ functionName }) =>
      functionName === undefined || random() >= probability ? undefined : count(pick(callFaults)),
    ofDelivery: ({ functionName, otherInvocations }) => {
      if (random() >= deliveryProbability) return undefined;
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
    passTime: (byMs) => {
      Atomics.add(passed, 0, byMs);
      Atomics.add(offset, 0, byMs);
      jumps.push({ atMs: performance.now(), byMs });
    },
    worldOffset,
  };
}

/** Describes the number of faults by kind, in one line. */
export function describeFaults(counts: Record<FaultKind, number>): string {
  const kinds = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
  const sum = Object.values(counts).reduce((all, count) => all + count, 0);
  return `${sum} (${kinds.join(", ")})`;
}

/**
 * Makes a call with a fault.
 * @param call makes the call; it may be called twice
 * @returns undefined if the caller gets no response
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
