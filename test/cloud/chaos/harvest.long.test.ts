import { beforeAll, describe, expect, it } from "vitest";
import { isLong, partMs } from "./chaos-cloud.ts";
import { type HarvestOutcome, harvestUnderChaos } from "./harvest.ts";
import { politenessViolations } from "./politeness.ts";

/** `npm run chaos`: five times as many faults. */
const size = isLong
  ? { journals: 120, articles: 112, checkedRecords: 5, leastFaults: 10_000 }
  : { journals: 49, articles: 12, checkedRecords: 2, leastFaults: 900 };

let outcome: HarvestOutcome;
beforeAll(async () => {
  outcome = await harvestUnderChaos(size);
}, partMs);

describe(`a harvest, its delivery and link checks under ${size.leastFaults} faults`, () => {
  it("so many faults, some of each kind", () => {
    const counts = Object.values(outcome.faults.counts());
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(size.leastFaults);
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });

  it("one run → it ends, finished", () => {
    expect(outcome.reports.map(({ run }) => [run.state, run.failure])).toEqual([["finished", undefined]]);
    expect(outcome.openTallies).toEqual({});
  });

  it("every article of the other journals → delivered once", () => {
    expect(outcome.delivered).toEqual(outcome.healthyTitles.toSorted());
  });

  it("every article → one outcome, and counted in the report", () => {
    const urls = outcome.outcomes.map(({ url }) => url);
    const { healthyTitles: titles } = outcome;
    expect(urls).toHaveLength(titles.length);
    expect(new Set(urls).size).toBe(urls.length);
    expect(new Set(outcome.outcomes.map(({ state }) => state))).toEqual(new Set(["converted"]));
    expect(outcome.reports[0]?.totals).toMatchObject({ converted: titles.length, delivered: titles.length });
  });

  it("a source whose response always fails → has failed with the reason; its message alone is quarantined", () => {
    const { sourceId, requests, reported, quarantined } = outcome.poisoned;
    expect(requests).toEqual([]);
    expect(reported).toEqual({
      state: "failed",
      reason: expect.stringMatching(/^its response could not be processed: /),
    });
    expect(new Set(quarantined)).toEqual(new Set([sourceId]));
  });

  it("the report → one mail", () => {
    expect(outcome.mails.filter((mail) => /^Subject: .*records delivered/m.test(mail))).toHaveLength(1);
  });

  it("every event → true of the store when it is published", () => {
    const { checked, untrue } = outcome.events;
    const types = ["document.new", "record.delivered", "delivery.new", "run.finished"];
    expect(Object.keys(checked).toSorted()).toEqual(types.toSorted());
    expect(untrue).toEqual([]);
  });

  it("every checked record → one check, alive", () => {
    expect(outcome.checks).toHaveLength(size.journals * size.checkedRecords);
    expect(outcome.checks.map((checks) => checks.map(({ verdict }) => verdict))).toEqual(
      outcome.checks.map(() => ["alive"]),
    );
  });

  it("no host → two requests at once, or one too early", () => {
    const { provider } = outcome.journals;
    const requests = [...provider.exchanges.values()].flat();
    expect(requests.length).toBeGreaterThan(
      outcome.healthyTitles.length + size.journals * size.checkedRecords,
    );
    const { delayMsOf } = outcome.journals;
    expect(politenessViolations(provider.exchanges, { ...outcome, delayMsOf })).toEqual([]);
  });
});
