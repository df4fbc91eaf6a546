import { expect, it } from "vitest";
import { inBatches } from "../../../../shared/core/in-batches.ts";
import { described, seededRandom, titled, UpdateWorld } from "./update-world.ts";

it("10,000 delivered records, readers killed at random → each changed one updated once, in parts of a hundred", async () => {
  const world = new UpdateWorld();
  const ids = Array.from({ length: 10_000 }, (_, index) => `r${index}`);
  // Runs that need no messages for their parts.
  for (const [number, some] of inBatches(ids, 2000).entries()) {
    const articles = some.map((id) => ({ id, urls: [`https://journal.example/${id}`] }));
    await world.deliver(articles, {}, `run-${number}`);
  }
  const changed = ids.filter((_, index) => index % 2 === 0);
  for (const id of changed) world.now.set(id, (delivered) => titled(id, `Title ${id}`, delivered));
  world.division = { partSize: 100, maxInline: 100 };
  const random = seededRandom(1);
  const { reconversionId } = await world.request();
  await world.run(random);
  await world.accept(reconversionId);
  await world.run(random);
  const titles = world.updates.map((xml) => described(xml).title);
  expect(titles.sort()).toEqual(changed.map((id) => `Title ${id}`).sort());
  expect(await world.memory.reconversions.get(reconversionId)).toMatchObject({
    state: "delivered",
    counts: { same: 5000, delivered: 5000 },
  });
  const sizes = [...world.memory.parts]
    .filter(([key]) => key.startsWith(reconversionId))
    .map(([, part]) => JSON.parse(part).length);
  expect(Math.max(...sizes)).toBe(100);
});
