import type { Clock } from "./clock.ts";
import { ConfigError, InputError, RemoteError, ThrottledError } from "./errors.ts";

/** Repeats work that fails. */
export type Retry = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Seven failures in a row are not an accident. */
const maxTries = 7;
const firstPauseMs = 100;

/** Retries available at the start. */
const initialRetries = 100;
/** What a successful call returns to the budget: one retry for ten calls, so that an outage ends the work soon. */
const retriesPerSuccess = 0.1;

/** A budget that all calls of one piece of work share. */
interface RetryLimits {
  clock: Clock;
  /** From 0 to 1. */
  random(): number;
  /** No retry begins after this time, in milliseconds since 1970. */
  untilMs: number;
}

/**
 * Retries calls to our own platform within a shared budget, after pauses that double up to 3.2 s. The work must be
 * repeatable: a failed call may have been done.
 */
export function retryWithin({ clock, random, untilMs }: RetryLimits): Retry {
  let budget = initialRetries;
  return async (work) => {
    for (let tries = 1; ; tries += 1) {
      try {
        const result = await work();
        budget = Math.min(initialRetries, budget + retriesPerSuccess);
        return result;
      } catch (error) {
        const isOver = tries >= maxTries || budget < 1 || clock.now().getTime() >= untilMs;
        if (isOver || !isRetryable(error)) throw error;
        budget -= 1;
        await clock.sleep(firstPauseMs * 2 ** (tries - 1) * (0.5 + random() / 2));
      }
    }
  };
}

/** Errors that a repeat cannot change: those that have a handler of their own, and bugs. */
const lastingErrors = [
  InputError,
  ConfigError,
  RemoteError,
  ThrottledError,
  TypeError,
  RangeError,
  SyntaxError,
  ReferenceError,
];

function isRetryable(error: unknown): boolean {
  return !lastingErrors.some((kind) => error instanceof kind);
}
