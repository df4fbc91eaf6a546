import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { type DriftDecision, decideStoredDrift } from "../../../../shared/deliver/quality/decide-drift.ts";
import {
  isOpen,
  judgeRun,
  type SourceDrifts,
  type SourceQuality,
} from "../../../../shared/deliver/quality/drift.ts";
import { MemoryPorts } from "../../memory-ports.ts";

const sourceId = "s";

function startOf(day: number): string {
  return new Date(Date.UTC(2026, 0, 1 + day, 19)).toISOString();
}

/** A run of a day in which so many of so many records have an abstract. */
function runOf(day: number, [has, of]: readonly [number, number]): SourceQuality {
  const abstract = { has, repeated: 0, lengths: {} };
  return { sourceId, runId: `r${day}`, startedAt: startOf(day), records: of, fields: { abstract } };
}

/** A source whose runs are judged one by one. */
class Watched {
  runs: SourceQuality[] = [];
  known: SourceDrifts | undefined;

  /** @returns what the run tells, such as `found` */
  run(day: number, share: readonly [number, number]): string[] {
    const run = runOf(day, share);
    this.known = judgeRun(run, this.runs, { known: this.known, title: "S" }) ?? this.known;
    this.runs.unshift(run);
    const own = this.known?.drifts.filter(({ field }) => field === "abstract") ?? [];
    return [
      ...own.filter(({ foundIn }) => foundIn === run.runId).map(() => "found"),
      ...own.filter(({ recovered }) => recovered?.runId === run.runId).map(() => "recovered"),
    ];
  }

  async decide(
    decision: DriftDecision,
    driftId = this.known?.drifts.at(-1)?.driftId ?? "",
  ): Promise<boolean> {
    const { quality, driftsById, clock } = new MemoryPorts();
    if (this.known !== undefined) driftsById.set(sourceId, this.known);
    const isDecided = await decideStoredDrift(
      sourceId,
      { driftId, decision, by: "anna" },
      { quality, clock },
    );
    this.known = driftsById.get(sourceId);
    return isDecided;
  }
}

function watched(days: number, share: readonly [number, number]): Watched {
  const source = new Watched();
  for (let day = 0; day < days; day += 1) source.run(day, share);
  return source;
}

describe("judgeRun", () => {
  it("a drop → found in its run with both shares, not again while it lasts, recovered once, found again later", () => {
    const source = watched(10, [4, 4]);
    expect(source.run(10, [3, 40])).toEqual(["found"]);
    expect(source.known?.drifts).toMatchObject([
      { field: "abstract", foundIn: "r10", now: { has: 3, of: 40 }, before: { has: 40, of: 40 } },
    ]);
    expect(source.run(11, [2, 40])).toEqual([]);
    expect(source.run(12, [0, 3])).toEqual([]);
    expect(source.run(13, [39, 40])).toEqual(["recovered"]);
    expect(source.run(14, [40, 40])).toEqual([]);
    expect(source.run(15, [3, 40])).toEqual(["found"]);
  });

  it("a source with one record per day → found with its fourth record without the field, among the last five", () => {
    const source = watched(20, [1, 1]);
    const told = [20, 21, 22, 23, 24, 25].map((day) => source.run(day, [0, 1]));
    expect(told.flat()).toEqual(["found"]);
    expect(source.known?.drifts.at(-1)).toMatchObject({
      ...{ foundIn: "r23", since: startOf(19) },
      ...{ now: { has: 1, of: 5 }, before: { has: 19, of: 19 } },
    });
  });

  it("a journal with an issue per quarter → compared with the issues of the last year", () => {
    const source = new Watched();
    for (const quarter of [0, 1, 2]) expect(source.run(quarter * 91, [11, 12])).toEqual([]);
    expect(source.run(3 * 91, [0, 12])).toEqual(["found"]);
    expect(source.known?.drifts.at(-1)).toMatchObject({ before: { has: 22, of: 24 } });
  });

  it("runs of more than 30 days before → not compared, if there are later ones with enough records", () => {
    const source = watched(10, [1, 9]);
    for (let day = 40; day < 60; day += 1) source.run(day, [9, 9]);
    expect(source.run(60, [1, 9])).toEqual(["found"]);
    expect(source.known?.drifts.at(-1)).toMatchObject({ before: { has: 180, of: 180 } });
  });

  it("a rise, or a new source → nothing", () => {
    const source = new Watched();
    expect(source.run(0, [0, 40])).toEqual([]);
    expect(source.run(1, [40, 40])).toEqual([]);
  });

  it("a run again, or one that started before the last judged one → nothing changes", () => {
    const source = watched(10, [4, 4]);
    source.run(10, [3, 40]);
    const { known, runs } = source;
    for (const day of [10, 9]) {
      const run = runOf(day, [3, 40]);
      const earlier = runs.filter(({ startedAt }) => startedAt < run.startedAt);
      expect(judgeRun(run, earlier, { known, title: "S" })).toBeUndefined();
    }
  });

  it("a drift of half a year, whose earlier runs are no longer read → recovers", () => {
    const source = watched(10, [4, 4]);
    source.run(10, [0, 8]);
    source.runs = [];
    expect(source.run(190, [4, 4])).toEqual([]);
    expect(source.run(191, [8, 8])).toEqual(["recovered"]);
  });

  it("hundreds of drifts → the last 60 are kept, the open one among them", () => {
    const source = watched(3, [40, 40]);
    for (let day = 3; day < 300; day += 1) source.run(day, day % 2 ? [0, 40] : [40, 40]);
    expect(source.known?.drifts).toHaveLength(60);
    expect(source.known?.drifts.filter(isOpen)).toMatchObject([{ foundIn: "r299" }]);
  });

  it("any changes between all and none → found once per change, recovered once", () => {
    const size = fc.integer({ min: 8, max: 40 });
    const day = fc.record({ size, isGood: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(size, { minLength: 3, maxLength: 5 }),
        fc.array(day, { maxLength: 25 }),
        (good, days) => {
          const source = new Watched();
          for (const [at, of] of good.entries()) expect(source.run(at, [of, of])).toEqual([]);
          let wasGood = true;
          for (const [at, { size: of, isGood }] of days.entries()) {
            const told = source.run(good.length + at, [isGood ? of : 0, of]);
            expect(told).toEqual(isGood === wasGood ? [] : [isGood ? "recovered" : "found"]);
            wasGood = isGood;
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("40 days of 320 stable sources with few records → no more drifts than chance explains", () => {
    const random = seededRandom(28);
    let [found, judged] = [0, 0];
    for (let at = 0; at < 320; at += 1) {
      const source = new Watched();
      const truth = [0.3, 0.6, 0.9, 0.98][at % 4] ?? 0;
      for (let day = 0; day < 40; day += 1) {
        const of = Math.floor(random() * (2 + (at % 9)));
        if (of === 0) continue;
        const has = Array.from({ length: of }, random).filter((drawn) => drawn < truth).length;
        found += source.run(day, [has, of]).filter((told) => told === "found").length;
        judged += 1;
      }
    }
    expect(judged).toBeGreaterThan(7_000);
    expect(found).toBeLessThanOrEqual(judged * 0.00135);
  });

  it("any order of reports of two runs at a time → at most one drift of a field is open, and nothing is told twice", () => {
    const share = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(
        fc.array(share, { minLength: 8, maxLength: 30 }),
        fc.infiniteStream(fc.boolean()),
        (shares, swaps) => {
          const all = shares.map(([has, of], at) => runOf(at, [Math.min(has, of), of]));
          const order = [...all];
          for (let at = 0; at + 1 < order.length; at += 2)
            if (swaps.next().value === true) order.splice(at, 2, ...order.slice(at, at + 2).toReversed());
          let known: SourceDrifts | undefined;
          const reported: SourceQuality[] = [];
          for (const run of [...order, ...order]) {
            if (!reported.includes(run)) reported.push(run);
            const earlier = reported
              .filter(({ startedAt }) => startedAt < run.startedAt)
              .toSorted((a, b) => (a.startedAt > b.startedAt ? -1 : 1));
            known = judgeRun(run, earlier, { known, title: "S" }) ?? known;
          }
          const drifts = known?.drifts ?? [];
          expect(drifts.filter(isOpen).length).toBeLessThanOrEqual(1);
          expect(new Set(drifts.map(({ foundIn }) => foundIn)).size).toBe(drifts.length);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe("a decision on a drift", () => {
  it("accepted → later runs are compared with those since the drop; a further drop is found", async () => {
    const source = watched(10, [40, 40]);
    source.run(10, [20, 40]);
    expect(await source.decide("accept")).toBe(true);
    expect(await source.decide("accept")).toBe(true);
    expect(source.known?.drifts.filter(isOpen)).toEqual([]);
    expect(source.run(11, [21, 40])).toEqual([]);
    expect(source.run(12, [0, 40])).toEqual(["found"]);
    expect(source.known?.drifts.at(-1)).toMatchObject({ before: { has: 41, of: 80 } });
  });

  it("accepted and reopened → as before the decision", async () => {
    const source = watched(10, [40, 40]);
    source.run(10, [20, 40]);
    const before = source.known?.drifts;
    await source.decide("accept");
    expect(await source.decide("reopen")).toBe(true);
    expect(source.known?.drifts).toEqual(before);
    expect(source.run(11, [20, 40])).toEqual([]);
    expect(source.run(12, [40, 40])).toEqual(["recovered"]);
  });

  it("on a recovered, an unknown or a followed drift → refused", async () => {
    const source = watched(10, [40, 40]);
    expect(await source.decide("accept", "none")).toBe(false);
    source.run(10, [20, 40]);
    const first = source.known?.drifts.at(-1)?.driftId;
    await source.decide("accept");
    source.run(11, [0, 40]);
    expect(await source.decide("reopen", first)).toBe(false);
    source.run(12, [20, 40]);
    expect(source.known?.drifts.at(-1)?.recovered).toMatchObject({ runId: "r12" });
    expect(await source.decide("accept")).toBe(false);
  });
});
