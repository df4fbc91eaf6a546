/**
 * Combines calls that are made while another call is in progress, so that the items of many concurrent callers are sent
 * in batches.
 * @param call receives items in the order in which they were passed, and returns a result for each of them
 * @param most the largest number of items of a call
 * @param lingerMs how long the first item of a call waits for further items; 0: for the rest of this turn of the event
 * loop
 * @returns the function that takes a single item. If a call with several items fails, each item is tried separately, so
 * that a faulty item does not affect the others.
 */
export function combine<Item, Result>(
  call: (items: Item[]) => Promise<Result[]>,
  most: number,
  lingerMs = 0,
): (item: Item) => Promise<Result> {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      if (waiting.length < most) await linger();
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await settle(batch);
    }
    isRunning = false;
  }

  function linger(): Promise<unknown> {
    return new Promise((resolve) => (lingerMs > 0 ? setTimeout(resolve, lingerMs) : setImmediate(resolve)));
  }

  async function settle(batch: typeof waiting): Promise<void> {
    try {
      const results = await call(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length > 1) await Promise.all(batch.map((one) => settle([one])));
      else for (const { reject } of batch) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void run();
    });
}
