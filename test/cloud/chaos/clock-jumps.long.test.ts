import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunReport } from "../../../shared/deliver/report/report.ts";
import { afterFile } from "../../after-file.ts";
import { deliveredTitles } from "../started.ts";
import { type ChaosCloud, isLong, openChaosCloud, partMs } from "./chaos-cloud.ts";
import { sourceOf } from "./harvest.ts";
import { type Journals, startJournals } from "./journals.ts";
import { politenessViolations } from "./politeness.ts";

const hourMs = 3_600_000;
const size = isLong ? { journals: 60, articles: 20 } : { journals: 8, articles: 4 };

/** A host may wait for hours, until after the deadline of a run. The next one delivers its articles. */
const maxRuns = 4;

let chaos: ChaosCloud;
let journals: Journals;
const reports: RunReport[] = [];

beforeAll(async () => {
  journals = await startJournals(size);
  afterFile(journals.provider.close);
  const { hosts } = journals;
  chaos = await openChaosCloud("clock jumps of hours", {
    ...{ hosts, probability: 0.05, deliveryProbability: 0.5, maxClockOffsetMs: 3 * hourMs },
  });
  const { storeConfiguration, runDelivery } = await import("../../../local/start/run-delivery.ts");
  const { exportFiles } = await import("../../../local/start/export-files.ts");
  const sources = journals.hosts.map(sourceOf);
  await storeConfiguration(sources);
  const { signal } = new AbortController();
  const print = (line: string) => isLong && console.info(line);
  do {
    reports.push(...(await chaos.until(runDelivery(sources, { print, signal }))));
    await exportFiles(join(chaos.stateDir, "deliveries"));
  } while (
    reports.length < maxRuns &&
    (await deliveredTitles(chaos.stateDir)).length < journals.titles.length
  );
}, partMs);

describe("a harvest while the clock of the functions jumps by hours", () => {
  it("jumps in both directions, of minutes and of hours", () => {
    const sizes = chaos.faults.jumps().map(({ byMs }) => byMs);
    expect(Math.max(...sizes)).toBeGreaterThan(hourMs);
    expect(Math.min(...sizes)).toBeLessThan(-hourMs);
  });

  it("every run → finished; every article is delivered once, at the latest by the run after the jumps", async () => {
    expect(new Set(reports.map(({ run }) => run.state))).toEqual(new Set(["finished"]));
    expect(await deliveredTitles(chaos.stateDir)).toEqual(journals.titles.toSorted());
  });

  it("an article that a run has not delivered → in its report, with the deadline as the reason", () => {
    for (const { state, reason, ...source } of reports.flatMap(({ sources }) => sources)) {
      const { delivered, unreachable, unanswered, knownToArchive } = source;
      const known = knownToArchive.delivered ?? 0;
      const articles = state === "read" ? delivered + unreachable.count + unanswered + known : size.articles;
      expect(articles, JSON.stringify(source)).toBe(size.articles);
      const reasons = unreachable.first.map((each) => each.reason);
      if (state === "failed") reasons.push(reason ?? "");
      expect(reasons.filter((each) => !/too-late|before the deadline/.test(each))).toEqual([]);
    }
  });

  it("no host → two requests at once; one too early only by as much as the clock jumped", () => {
    const { provider, delayMsOf } = journals;
    expect(politenessViolations(provider.exchanges, { ...chaos, delayMsOf })).toEqual([]);
  });

  it("every event → true of the store when it is published", () => {
    expect(chaos.events.untrue).toEqual([]);
    expect(chaos.events.changes["document.new"]?.size).toBe(journals.titles.length);
  });
});
