import { expect, it } from "vitest";
import { judgeCheck } from "../../../../shared/links/judge/judge-check.ts";
import { sweepCollections } from "../../../../shared/links/sweep/sweep-collections.ts";
import type { NewRequest } from "../../../../shared/web/request/request.ts";
import { tooLate } from "../../../../shared/web/request/response.ts";
import { hourMs } from "../link-world.ts";
import { BadWorld, collectionIds, liveBadly, refusalOf } from "./bad-world.ts";

/** More seeds are in `open-sweeps.long.test.ts`. */
it("sweeps at random → one open sweep per collection, no request in a hold, no failure unseen", async () => {
  const worlds: BadWorld[] = [];
  for (let seed = 1; seed <= 12; seed += 1) worlds.push(await liveBadly(seed));
  const sum = (of: (world: BadWorld) => number) => worlds.reduce((total, world) => total + of(world), 0);
  expect(sum(({ sent }) => sent)).toBeGreaterThan(200);
  expect(sum(({ expired }) => expired)).toBeGreaterThan(10);
});

it("hosts that get no turn for a month → no failure, and a queue that does not grow", async () => {
  const bad = new BadWorld(1);
  const { world } = bad;
  const requests: NewRequest[] = [];
  const ports = {
    ...world.ports,
    requests: { send: async (more: NewRequest[]) => void requests.push(...more) },
  };
  for (let sweep = 0; sweep < 360; sweep += 1) {
    await sweepCollections(world.now, ports);
    world.nowMs += 2 * hourMs;
    const isOver = ({ notAfter = "" }: NewRequest) => world.nowMs > Date.parse(notAfter);
    for (const request of requests.filter(isOver)) await judgeCheck(refusalOf(request, tooLate), ports);
    requests.splice(0, requests.length, ...requests.filter((each) => !isOver(each)));
    expect(requests.length).toBeLessThanOrEqual(4 * collectionIds.length);
  }
  expect(world.statusWrites).toBe(0);
  expect(new Set(world.verdicts)).toEqual(new Set(["inconclusive"]));
});
