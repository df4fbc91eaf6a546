import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { afterFile } from "../../after-file.ts";
import { deliveredTitles } from "../started.ts";
import { type ChaosCloud, isLong, openChaosCloud, partMs } from "./chaos-cloud.ts";
import { sourceOf } from "./harvest.ts";
import { type Journals, startJournals } from "./journals.ts";
import { politenessViolations } from "./politeness.ts";

const hourMs = 3_600_000;
const size = isLong ? { journals: 60, articles: 20 } : { journals: 20, articles: 6 };

let chaos: ChaosCloud;
let journals: Journals;
let states: string[];

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
  const reports = await chaos.until(runDelivery(sources, { print, signal }));
  states = reports.map(({ run }) => run.state);
  await exportFiles(join(chaos.stateDir, "deliveries"));
}, partMs);

describe("a harvest while the clock of the functions jumps by hours", () => {
  it("jumps in both directions, of minutes and of hours", () => {
    const sizes = chaos.faults.jumps().map(({ byMs }) => byMs);
    expect(Math.max(...sizes)).toBeGreaterThan(hourMs);
    expect(Math.min(...sizes)).toBeLessThan(-hourMs);
  });

  it("one run → it ends, finished; every article is delivered once", async () => {
    expect(states).toEqual(["finished"]);
    expect(await deliveredTitles(chaos.stateDir)).toEqual(journals.titles.toSorted());
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
