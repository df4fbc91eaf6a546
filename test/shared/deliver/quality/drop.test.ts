import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { isDrop, type Share } from "../../../../shared/deliver/quality/drop.ts";

/** The chance that a source is three standard errors below its mean, and nothing has changed. */
const chance = 0.00135;

function choose(of: number, chosen: number): number {
  let product = 1;
  for (let at = 1; at <= chosen; at += 1) product = (product * (of - chosen + at)) / at;
  return chosen < 0 || chosen > of ? 0 : product;
}

/** The textbook, for one earlier run: three standard errors of two shares, and Fisher's exact test by its definition. */
function oracle(now: Share, past: Share): boolean {
  if (now.of < 5 || past.of < 5) return false;
  const [of, has] = [now.of + past.of, now.has + past.has];
  const error = Math.sqrt((has / of) * (1 - has / of) * (1 / now.of + 1 / past.of));
  const isLow = now.has / now.of < past.has / past.of - 3 * error;
  const ways = (count: number) => choose(has, count) * choose(of - has, now.of - count);
  const fewer = Array.from({ length: now.has + 1 }, (_, count) => ways(count)).reduce((a, b) => a + b);
  return isLow && fewer / choose(of, now.of) <= chance;
}

const share = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([of, part]): Share => ({ of, has: Math.round(of * part) }));

describe("isDrop", () => {
  it.each<[Share, Share, boolean]>([
    [{ has: 3, of: 40 }, { has: 38, of: 40 }, true],
    [{ has: 30, of: 40 }, { has: 38, of: 40 }, false],
    [{ has: 0, of: 5 }, { has: 38, of: 40 }, true],
    [{ has: 0, of: 4 }, { has: 400, of: 400 }, false],
    [{ has: 0, of: 40 }, { has: 4, of: 4 }, false],
    [{ has: 40, of: 40 }, { has: 3, of: 40 }, false],
    [{ has: 0, of: 40 }, { has: 0, of: 400 }, false],
    [{ has: 40, of: 40 }, { has: 400, of: 400 }, false],
    [{ has: 90_000, of: 100_000 }, { has: 910_000, of: 1_000_000 }, true],
    [{ has: 90_900, of: 100_000 }, { has: 910_000, of: 1_000_000 }, false],
  ])("%j after %j → %s", (now, before, expected) => {
    expect(isDrop(now, [before])).toBe(expected);
  });

  it("any two runs → as the textbook says", () => {
    fc.assert(
      fc.property(share, share, (now, past) => isDrop(now, [past]) === oracle(now, past)),
      { numRuns: 20_000 },
    );
  });

  it("40,000 stable sources with few records → no more false alarms than chance explains", () => {
    const random = seededRandom(28);
    const draw = (of: number, share: number): Share => {
      let has = 0;
      for (let at = 0; at < of; at += 1) if (random() < share) has += 1;
      return { has, of };
    };
    const sources = 40_000;
    let alarms = 0;
    for (let at = 0; at < sources; at += 1) {
      const truth = [0.05, 0.3, 0.5, 0.8, 0.9, 0.95, 0.99, 1][at % 8] ?? 0;
      const size = 1 + Math.floor(random() * 12);
      const before = Array.from({ length: 2 + Math.floor(random() * 28) }, () => draw(size, truth));
      if (isDrop(draw(5 + Math.floor(random() * 20), truth), before)) alarms += 1;
    }
    expect(alarms).toBeLessThanOrEqual(sources * chance);
  });

  it("runs that differ by nature, as issues of reviews do → hardly any alarm, though the records of a run are alike", () => {
    const random = seededRandom(28);
    let alarms = 0;
    for (let at = 0; at < 5_000; at += 1) {
      const issue = (): Share => {
        const of = 5 + Math.floor(random() * 10);
        return { of, has: random() < 0.6 ? of : 0 };
      };
      if (isDrop(issue(), Array.from({ length: 12 }, issue))) alarms += 1;
    }
    expect(alarms / 5_000).toBeLessThan(0.005);
  });

  it("5,000 real drops from nine of ten or more to one of ten or fewer → each is found in the first run", () => {
    const random = seededRandom(28);
    for (let at = 0; at < 5_000; at += 1) {
      const of = 10 + Math.floor(random() * 40);
      const before = Array.from({ length: 30 }, () => {
        const size = 2 + Math.floor(random() * 20);
        return { of: size, has: size - Math.floor(random() * (size / 10 + 0.1)) };
      });
      expect(isDrop({ of, has: Math.floor((random() * of) / 10) }, before)).toBe(true);
    }
  });
});
