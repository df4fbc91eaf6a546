import fc from "fast-check";
import { expect, it } from "vitest";
import { inOrder } from "../../../shared/core/in-order.ts";

async function* arriving<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const item of items) yield item;
}

async function collect<Result>(results: AsyncIterable<Result>): Promise<Result[]> {
  const all: Result[] = [];
  for await (const result of results) all.push(result);
  return all;
}

it("random items that end in random order → all results in the order of the items, never more than maxParallel at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(5), { maxLength: 30 }),
      fc.integer({ min: 1, max: 5 }),
      async (turns, max) => {
        let [active, most] = [0, 0];
        const work = async (turnsLeft: number) => {
          active += 1;
          most = Math.max(most, active);
          for (let left = turnsLeft; left > 0; left--) await Promise.resolve();
          active -= 1;
          return turnsLeft;
        };
        expect(await collect(inOrder(arriving(turns), max, work))).toEqual(turns);
        expect(most).toBeLessThanOrEqual(max);
      },
    ),
    { numRuns: 500 },
  );
});

it("a finished result → yielded while the next item has not arrived", async () => {
  let arrive: (item: string) => void = () => {};
  const second = new Promise<string>((resolve) => {
    arrive = resolve;
  });
  async function* slow() {
    yield "first";
    yield await second;
  }
  const results = inOrder(slow(), 4, async (item) => item.toUpperCase());
  expect(await results.next()).toEqual({ done: false, value: "FIRST" });
  arrive("second");
  expect(await results.next()).toEqual({ done: false, value: "SECOND" });
  expect(await results.next()).toMatchObject({ done: true });
});

it("an error → thrown when it is its item's turn, after the results before it", async () => {
  const work = async (item: number) => {
    if (item === 3) throw new Error("three");
    return item;
  };
  const results = inOrder(arriving([1, 2, 3, 4]), 4, work);
  expect([(await results.next()).value, (await results.next()).value]).toEqual([1, 2]);
  await expect(results.next()).rejects.toThrow("three");
});
