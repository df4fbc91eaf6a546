import { describe, expect, it } from "vitest";
import { inParallel } from "../../../shared/core/in-parallel.ts";

/** Work that ends when the test ends it; `begun` are the items that it was begun for, in order. */
function heldWork() {
  const begun: string[] = [];
  const held = new Map<string, PromiseWithResolvers<string>>();
  return {
    begun,
    work: (item: string) => {
      begun.push(item);
      const promise = Promise.withResolvers<string>();
      held.set(item, promise);
      return promise.promise;
    },
    end: async (item: string) => {
      held.get(item)?.resolve(item.toUpperCase());
      await settled();
    },
    fail: async (item: string) => {
      held.get(item)?.reject(new Error(item));
      await settled();
    },
  };
}

/** All that can continueby now has gone on. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("inParallel", () => {
  it.each<[string, string[], number, string[]]>([
    ["no items → nothing", [], 2, []],
    ["fewer items than room → all at once", ["a", "b"], 5, ["a", "b"]],
    ["more items than room → as many as there is room for", ["a", "b", "c"], 2, ["a", "b"]],
    ["room for one → one", ["a", "b"], 1, ["a"]],
  ])("%s", async (_title, items, atOnce, begun) => {
    const held = heldWork();
    const all = inParallel(items, atOnce, held.work);
    expect(held.begun).toEqual(begun);
    for (const item of items) await held.end(item);
    expect(await all).toEqual(items.map((item) => item.toUpperCase()));
  });

  it("a slow item → the others continue, and the results keep their order", async () => {
    const held = heldWork();
    const all = inParallel(["slow", "b", "c", "d"], 2, held.work);
    await held.end("b");
    await held.end("c");
    expect(held.begun).toEqual(["slow", "b", "c", "d"]);
    await held.end("d");
    await held.end("slow");
    expect(await all).toEqual(["SLOW", "B", "C", "D"]);
  });

  it("an error → no further item starts, and the first error is thrown when the items in work have ended", async () => {
    const held = heldWork();
    const thrown: unknown[] = [];
    const all = inParallel(["a", "b", "c", "d"], 3, held.work).catch((error) => thrown.push(error));
    await held.fail("b");
    expect([held.begun, thrown]).toEqual([["a", "b", "c"], []]);
    await held.fail("c");
    await held.end("a");
    await all;
    expect(thrown).toEqual([new Error("b")]);
    expect(held.begun).toEqual(["a", "b", "c"]);
  });

  it("work that throws before it gives a promise → the same", async () => {
    const work = () => {
      throw new Error("at once");
    };
    await expect(inParallel([1, 2], 2, work)).rejects.toThrow("at once");
  });
});
