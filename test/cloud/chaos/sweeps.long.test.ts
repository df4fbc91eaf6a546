import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CountingProvider, startProvider } from "../counting-provider.ts";
import { type ChaosCloud, isLong, openChaosCloud, partMs } from "./chaos-cloud.ts";
import { politenessViolations } from "./politeness.ts";
import type { Kind, Link } from "./sweeps.ts";

/** Linux answers on all of 127/8. */
const addresses = Array.from({ length: isLong ? 24 : 4 }, (_, index) => `127.0.4.${index + 1}`);
const hourMs = 3_600_000;

let chaos: ChaosCloud;
let provider: CountingProvider;
let model: typeof import("./sweeps.ts");
let links: Link[];
let startMs: number;
let isBack = false;

beforeAll(async () => {
  provider = await startProvider(addresses, (_address, path) => {
    const [, kind, number] = path.split("/");
    if (model.isDead({ kind: kind as Kind, number: Number(number) }, isBack)) return { status: 404 };
    return { status: 200, headers: { "content-type": "text/html" }, body: "<h1>An article</h1>" };
  });
  const hosts = addresses.map((address) => `${address}:${provider.port}`);
  chaos = await openChaosCloud("sweeps", { hosts });
  // The adapters are loaded after the cloud is open.
  model = await import("./sweeps.ts");
  links = model.linksOf(hosts);
  const onFirstSweep = () => {
    isBack = true;
  };
  ({ startMs } = await model.sweepUnderChaos(links, { chaos, onFirstSweep }));
}, partMs);
afterAll(() => provider.close());

/** The times at which a link was requested. A killed worker repeats its request within minutes: that is one time. */
function timesOf({ url }: Link): { times: number[]; repeats: number } {
  const { hostname, pathname } = new URL(url);
  const all = (provider.exchanges.get(hostname) ?? []).filter(({ path }) => path === pathname);
  const times = all
    .map(({ atMs }) => atMs)
    .filter((atMs, index, each) => atMs - (each[index - 1] ?? 0) > hourMs / 2);
  return { times, repeats: all.length - times.length };
}

const idsOf = (some: Link[], id: "recordId" | "collectionId") =>
  [...new Set(some.map((link) => link[id]))].toSorted();
const changed = (type: string) =>
  [...(chaos.events.changes[type] ?? [])].map((changeId) => changeId.split("/")[0]).toSorted();

describe("sweeps and rechecks of links under faults", () => {
  it("every link → requested at the times of the sweeps and of its attempts, and at no other", () => {
    const expected = (link: Link) => model.expectedHours(link).toSorted((a, b) => a - b);
    // Attempts after faults are later by minutes, which add up.
    const hoursOf = (link: Link) =>
      timesOf(link).times.map((atMs, index) => {
        const hours = (atMs - startMs) / hourMs;
        const due = expected(link)[index] ?? Number.NaN;
        return hours > due - 0.1 && hours < due + 1 ? due : hours;
      });
    expect(Object.fromEntries(links.map((link) => [link.recordId, hoursOf(link)]))).toEqual(
      Object.fromEntries(links.map((link) => [link.recordId, expected(link)])),
    );
  });

  it("a dead record → four failures, each gap as long as its delay", () => {
    for (const link of links.filter((each) => !model.isSampled(each) && model.isDead(each, true))) {
      const { times } = timesOf(link);
      const early = model.recheckDelaysHours.filter(
        (hours, index) => (times[index + 1] ?? 0) - (times[index] ?? 0) < hours * hourMs - 3000,
      );
      expect(early, link.url).toEqual([]);
    }
  });

  it("a request is repeated only after a fault, so seldom", () => {
    const repeats = links.reduce((sum, link) => sum + timesOf(link).repeats, 0);
    const requests = [...provider.exchanges.values()].flat().length;
    console.info(`${repeats} of ${requests} requests were repeated`);
    expect(repeats).toBeLessThan(requests / 10);
  });

  it("no host → two requests at once, or one too early", () => {
    expect(politenessViolations(provider.exchanges, { ...chaos, delayMsOf: () => 20 })).toEqual([]);
  });

  it("every change of a record and a collection → one event, true of the store; the living have none", () => {
    const own = links.filter((link) => !model.isSampled(link));
    expect(chaos.events.untrue).toEqual([]);
    expect(changed("record.suppressed")).toEqual(
      idsOf(
        own.filter((link) => model.isDead(link, false)),
        "recordId",
      ),
    );
    expect(changed("record.deleted")).toEqual(
      idsOf(
        own.filter((link) => model.isDead(link, true)),
        "recordId",
      ),
    );
    expect(changed("record.activated")).toEqual(
      idsOf(
        own.filter(({ kind }) => kind === "back"),
        "recordId",
      ),
    );
    const ofKinds = (...some: Kind[]) =>
      idsOf(
        links.filter(({ kind }) => some.includes(kind)),
        "collectionId",
      );
    expect(changed("collection.suppressed")).toEqual(ofKinds("dead", "back"));
    expect(changed("collection.deleted")).toEqual(ofKinds("dead"));
    expect(changed("collection.activated")).toEqual(ofKinds("back"));
  });
});
