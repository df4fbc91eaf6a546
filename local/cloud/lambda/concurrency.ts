/** An invocation is refused, because the account already runs the maximum number of functions. */
export class TooManyRequests extends Error {
  override readonly name = "TooManyRequestsException";
}

export interface Concurrency {
  /** Runs an invocation. @throws TooManyRequests when the limit is reached */
  run<Result>(invocation: () => Promise<Result>): Promise<Result>;
}

/**
 * Limits the concurrent executions of an account, over all functions.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html
 */
export function accountConcurrency(limit = Number.POSITIVE_INFINITY, onThrottle = () => {}): Concurrency {
  let running = 0;
  return {
    run: async (invocation) => {
      if (running >= limit) {
        onThrottle();
        throw new TooManyRequests("Rate Exceeded.");
      }
      running += 1;
      try {
        return await invocation();
      } finally {
        running -= 1;
      }
    },
  };
}
