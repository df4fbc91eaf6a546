import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { Frontier } from "../../../../shared/snapshots/capture/frontier.ts";

it("thousands of URLs, added and taken in any order → each once, those of a host in the order in which they were found", () => {
  const random = seededRandom(1);
  const frontier = new Frontier();
  const model = new Map<string, string[]>(["a.example", "b.example"].map((host) => [host, []]));
  let [added, taken] = [0, 0];
  for (let step = 0; step < 40_000; step += 1) {
    const host = random() < 0.9 ? "a.example" : "b.example";
    const waiting = model.get(host) ?? [];
    // It grows at first, and runs empty at the end.
    if (random() < 0.9 - step / 30_000) {
      const url = `https://${host}/${added}`;
      expect(frontier.add({ url, hops: "L" })).toBe(true);
      expect(frontier.add({ url, hops: "L" })).toBe(false);
      waiting.push(url);
      added += 1;
    } else {
      const expected = waiting.shift();
      expect(frontier.take(host)?.url).toBe(expected);
      if (expected !== undefined) taken += 1;
    }
    expect(frontier.size).toBe(added - taken);
  }
  expect(taken).toBeGreaterThan(5000);
  expect([...frontier.hosts()]).toEqual(
    [...model].filter(([, urls]) => urls.length > 0).map(([host]) => host),
  );
});

it("100,000 URLs of 1,000 characters that were requested → up to 150 bytes of memory each", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const usedBytes = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = usedBytes();
  const frontier = new Frontier();
  const count = 100_000;
  for (let number = 0; number < count; number += 1)
    frontier.exclude(`https://a.example/${"x".repeat(1000)}/${number}`);
  const bytesPerUrl = (usedBytes() - before) / count;
  expect(frontier.add({ url: `https://a.example/${"x".repeat(1000)}/1`, hops: "L" })).toBe(false);
  expect(bytesPerUrl).toBeLessThan(150);
});
