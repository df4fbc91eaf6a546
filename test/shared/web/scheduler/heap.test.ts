import { describe, expect, it } from "vitest";
import { Heap } from "../../../../shared/web/scheduler/heap.ts";

function drain(heap: Heap<number>): number[] {
  const items: number[] = [];
  for (let item = heap.shift(); item !== undefined; item = heap.shift()) items.push(item);
  return items;
}

describe("Heap", () => {
  it.each([
    { title: "nothing", items: [] },
    { title: "one", items: [1] },
    { title: "rising", items: [1, 2, 3, 4, 5, 6, 7] },
    { title: "falling", items: [7, 6, 5, 4, 3, 2, 1] },
    { title: "repeated", items: [2, 1, 2, 1, 2, 1] },
    { title: "mixed", items: Array.from({ length: 1000 }, (_, index) => (index * 389) % 997) },
  ])("$title → comes out in order", ({ items }) => {
    const heap = new Heap<number>((a, b) => a < b);
    for (const item of items) heap.push(item);
    expect(heap.size).toBe(items.length);
    expect(drain(heap)).toEqual(items.toSorted((a, b) => a - b));
    expect(heap.shift()).toBeUndefined();
  });

  it("pushed between shifts → still in order", () => {
    const heap = new Heap<number>((a, b) => a < b);
    for (const item of [5, 3, 8]) heap.push(item);
    expect(heap.shift()).toBe(3);
    for (const item of [1, 9, 4]) heap.push(item);
    expect(drain(heap)).toEqual([1, 4, 5, 8, 9]);
  });
});
