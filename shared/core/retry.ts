import type { Clock } from "./clock.ts";
import { ConfigError, InputError, RemoteError, ThrottledError } from "./errors.ts";

/** Runs work again when it fails. */
export type Retry = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A seventh consecutive failure is unlikely to be an accident. */
const maxTries = 7;
const firstPauseMs = 100;

/** The number of retries available at the start. */
const initialRetries = 100;
/**
 * The part of a retry that a successful call adds to the budget. With one retry for ten calls, an outage ends the work
 * soon.
 */
const retriesPerSuccess = 0.1;

/** The limits of a budget that all calls of one piece of work share. */
interface RetryLimits {
  clock: Clock;
  /** Returns a random number from 0 to 1. */
  random(): number;
  /** The time after which no retry begins, in milliseconds since 1970. */
  untilMs: number;
}

/**
 * Retries calls to Ingather's own platform within a shared budget, after pauses that double up to 3.2 s. The work must
 * be repeatable, because a failed call may have taken effect.
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

/** Errors that a retry cannot change: those that are handled elsewhere, and bugs. */
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
