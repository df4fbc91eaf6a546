/**
 * Runs the calls of a function one after the other, in order. Code that follows an awaited call in the same tick runs
 * before the next call has a result.
 */
export function runSequentially<Args extends unknown[], Result>(
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const current = last.then(() => work(...args));
    // The error of a call is thrown to its caller only, and does not block other calls.
    last = current.catch(() => undefined);
    return current;
  };
}
