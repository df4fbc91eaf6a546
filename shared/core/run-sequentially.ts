/**
 * Runs the calls of a function one after the other, in their order. Code that follows an awaited call in the same tick
 * runs before the next call has a result.
 */
export function runSequentially<Args extends unknown[], Result>(
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const current = last.then(() => work(...args));
    // The error of a call belongs to its caller, and blocks no other call.
    last = current.catch(() => undefined);
    return current;
  };
}
