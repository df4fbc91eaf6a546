import { expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { dayMs } from "../../../../shared/core/day.ts";
import { listPage, record } from "../../../local/cli/harvest/scripted-repository.ts";
import { identify, OaiWorld } from "./oai-world.ts";

const hourMs = 3_600_000;

/** How far the clock of the repository is ahead, in milliseconds. */
const aheadMs = [0, 2000, hourMs, 5 * dayMs, 4 * 365 * dayMs, -2000, -5 * dayMs, -25 * 365 * dayMs];

it.each(Array.from({ length: 60 }, (_, seed) => seed + 1))(
  "a repository whose clock jumps, world %i → each change and each deletion is known after its list",
  async (seed) => {
    const random = seededRandom(seed);
    const oneOf = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
    const ids = ["a", "b", "c", "d", "e", "f"];
    const titles = new Map(ids.map((id) => [id, "Title 0"]));
    const world = new OaiWorld(() => "");
    let nowMs = Date.parse("2026-01-01T20:00:00Z");
    for (let poll = 1; poll <= 25; poll += 1) {
      // Fewer than days for which a deletion is undone, and more or fewer than a message is kept.
      nowMs += oneOf([1, 3, 12, 20]) * dayMs;
      for (const id of ids) {
        if (random() < 0.3) titles.set(id, `Title ${poll}`);
        if (random() < 0.1) titles.delete(id);
      }
      const responseDate = new Date(nowMs + oneOf(aheadMs)).toISOString();
      const list = listPage(
        ids.map((id) => record(id, { title: titles.get(id) ?? "", deleted: !titles.has(id) })),
      ).replace(/(?<=<responseDate>)[^<]*/, responseDate);
      world.script = ({ verb }) => (verb === "Identify" ? identify() : list);
      const published = world.ports.published.length;
      const changed = ids.filter((id) => titles.get(id) === `Title ${poll}`);
      await world.harvest(new Date(nowMs).toISOString());
      expect(world.documents("present"), `poll ${poll}`).toBe([...titles.keys()].sort().join(""));
      const told = world.ports.published.slice(published).filter(({ type }) => type !== "document.deleted");
      expect(told.map(({ detail }) => String(detail.identifier)).toSorted(), `poll ${poll}`).toEqual(
        expect.arrayContaining(changed),
      );
    }
    const now = new Date(nowMs).toISOString();
    for (const { firstListedAt, changedAt } of world.ports.documentsByKey.values())
      expect([firstListedAt >= "2026", changedAt <= now]).toEqual([true, true]);
  },
);
