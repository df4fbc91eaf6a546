/**
 * Combines calls that come while another one is in progress into one call: what many concurrent callers send one by one
 * goes out in batches.
 * @param call takes items of one key in the order in which they came, and gives a result for each of them
 * @param most the most items of a call
 * @param lingerMs how long the first item of a call waits for more; 0: for the rest of this turn of the event loop
 * @returns the call for one item. When a call of several fails, each of them is tried alone, so that none spoils the others.
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
