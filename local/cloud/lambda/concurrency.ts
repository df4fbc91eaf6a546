/** Lambda refuses an invocation: the account runs as many functions as it may. */
export class TooManyRequests extends Error {
  override readonly name = "TooManyRequestsException";
}

export interface Concurrency {
  /** Runs an invocation. @throws TooManyRequests when the limit is reached */
  run<Result>(invocation: () => Promise<Result>): Promise<Result>;
}

/**
 * The concurrent executions of an account, of all functions together.
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
