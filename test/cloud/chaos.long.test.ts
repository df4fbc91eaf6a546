import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeFaults } from "../../local/cloud/faults.ts";
import { type ChaosOutcome, politenessViolations, runChaos } from "./chaos/chaos.ts";
import { stateFolder } from "./local-cloud.ts";

/** `npm run chaos`: five times as many faults, which also kill the stages that hold leases of minutes. */
const isLong = process.env.CHAOS === "long";
const size = isLong
  ? { journals: 120, articles: 112, checkedRecords: 5, leastFaults: 10_000, timeoutMs: 3_600_000 }
  : { journals: 112, articles: 12, checkedRecords: 2, leastFaults: 2000, timeoutMs: 300_000 };
const probability = isLong ? 0.15 : 0.18;
const seed = Number(process.env.CHAOS_SEED ?? 20_261_122);

let outcome: ChaosOutcome;
let lastLine = "nothing";

beforeAll(async () => {
  const print = (line: string) => {
    lastLine = line;
    if (isLong) console.info(line);
  };
  const stateDir = stateFolder();
  outcome = await runChaos({ ...size, probability, seed, stateDir, killsStages: isLong, print });
  console.info(`Faults with seed ${seed}: ${describeFaults(outcome.faults.counts())}`);
}, size.timeoutMs);

afterAll(() => {
  if (outcome === undefined) console.info(`It hung. Printed last: ${lastLine}`);
});

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

  it("every article → delivered once", () => {
    expect(outcome.delivered).toEqual(outcome.journals.titles.toSorted());
  });

  it("every article → one outcome, and counted in the report", () => {
    const urls = outcome.outcomes.map(({ url }) => url);
    const { titles } = outcome.journals;
    expect(urls).toHaveLength(titles.length);
    expect(new Set(urls).size).toBe(urls.length);
    expect(new Set(outcome.outcomes.map(({ state }) => state))).toEqual(new Set(["converted"]));
    expect(outcome.reports[0]?.totals).toMatchObject({ converted: titles.length, delivered: titles.length });
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
    const { provider, titles } = outcome.journals;
    const requests = [...provider.exchanges.values()].flat();
    expect(requests.length).toBeGreaterThan(titles.length + size.journals * size.checkedRecords);
    expect(politenessViolations(outcome)).toEqual([]);
  });
});
