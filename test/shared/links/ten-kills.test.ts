import { expect, it } from "vitest";
import { seededRandom } from "../../../local/cloud/seeded-random.ts";
import { judgeCheck } from "../../../shared/links/judge/judge-check.ts";
import type { NewRequest } from "../../../shared/web/request/request.ts";
import { hourMs, LinkWorld } from "./link-world.ts";
import { mortal } from "./mortal-ports.ts";

const kills = 10;

/** A world in which the readers of some responses are killed at a random write. The response is then read again. */
class DeadlyWorld extends LinkWorld {
  killed = 0;
  private readonly random: () => number;

  constructor(seed: number) {
    super();
    this.random = seededRandom(seed);
  }

  override async deliver(request: NewRequest): Promise<void> {
    this.requested.push({ url: request.url, at: this.now.toISOString() });
    const response = this.responseTo(request);
    while (this.killed < kills && this.random() < 0.4) {
      const write = Math.floor(this.random() * 6);
      const ports = mortal(this.ports, { write, before: this.random() < 0.5 });
      await judgeCheck(response, ports).catch(() => (this.killed += 1));
    }
    await judgeCheck(response, this.ports);
  }
}

it.each([1, 2, 3, 4, 5, 6])(
  "eight dead records, ten kills, seed %i → each is asked exactly four times",
  async (seed) => {
    const world = new DeadlyWorld(seed);
    world.addCollection({ collectionId: "c", title: "C" }, 12);
    const isDead = (url: string) => Number(new URL(url).pathname.slice(1)) > 2 && !/\/1[12]$/.test(url);
    world.reply = (url) => (isDead(url) ? 404 : 200);
    for (let number = 3; number <= 10; number += 1)
      await world.openRecord(`c-${String(number).padStart(3, "0")}`);
    for (let hours = 0; hours < 120; hours += 2) {
      await world.sweep();
      await world.advance(2 * hourMs);
    }
    expect(world.killed).toBe(kills);
    const asked = Map.groupBy(world.requested, ({ url }) => url);
    for (let number = 3; number <= 10; number += 1) {
      expect(asked.get(`https://c.example/${number}`), `record ${number}`).toHaveLength(4);
      expect(world.linkStatusOf(`c-${String(number).padStart(3, "0")}`)).toBe("deleted");
    }
  },
);
