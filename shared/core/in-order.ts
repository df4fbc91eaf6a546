type Arrival<Item> = IteratorResult<Item, unknown> | { error: unknown };

/**
 * Works on items as they arrive, on at most `maxParallel` at a time. Yields each result as soon as it and all results
 * before it are done.
 * @throws the first error of the work, or that of the items after the results before it
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  maxParallel: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const iterator = items[Symbol.asyncIterator]();
  const arrive = (): Promise<Arrival<Item>> => iterator.next().catch((error: unknown) => ({ error }));
  const started: Promise<Result>[] = [];
  let arriving: Promise<Arrival<Item>> | undefined = arrive();
  let failure: { error: unknown } | undefined;
  try {
    while (arriving !== undefined || started.length > 0) {
      const [first] = started;
      const next: typeof arriving = started.length < maxParallel ? arriving : undefined;
      const isDone = await Promise.race([
        ...(first === undefined ? [] : [first.then(() => true)]),
        ...(next === undefined ? [] : [next.then(() => false)]),
      ]);
      if (isDone) {
        started.shift();
        if (first !== undefined) yield await first;
        continue;
      }
      const arrived = await arriving;
      if (arrived !== undefined && "error" in arrived) failure = arrived;
      if (arrived === undefined || "error" in arrived || arrived.done === true) arriving = undefined;
      else {
        const result = work(arrived.value);
        // An error is thrown when it is the turn of its item.
        result.catch(() => undefined);
        started.push(result);
        arriving = arrive();
      }
    }
  } finally {
    await iterator.return?.();
  }
  if (failure !== undefined) throw failure.error;
}
