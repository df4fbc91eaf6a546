/**
 * The same work, one call after the other in the order of the calls. What follows a call in the same tick of its caller
 * runs before the next one has a result.
 */
export function runSequentially<Args extends unknown[], Result>(
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const current = last.then(() => work(...args));
    // A call that fails is its own caller's, and holds up nobody.
    last = current.catch(() => undefined);
    return current;
  };
}
