import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { runByHost, type Served } from "../../../../shared/web/scheduler/host-scheduler.ts";
import { VirtualClock } from "../virtual-clock.ts";

interface Item {
  host: string;
  name: string;
  serviceMs: number;
  delayMs: number;
  next?: Item;
}

interface Visit {
  host: string;
  name: string;
  startMs: number;
  endMs: number;
}

function item(host: string, name: string, given: Partial<Item> = {}): Item {
  return { host, name, serviceMs: 10, delayMs: 0, ...given };
}

async function visit(
  items: Item[],
  options: { concurrency?: number; signal?: AbortSignal; onServe?: (name: string) => void } = {},
): Promise<Visit[]> {
  const clock = new VirtualClock();
  const visits: Visit[] = [];
  const serve = async (each: Item): Promise<Served<Item>> => {
    const startMs = clock.now().getTime();
    options.onServe?.(each.name);
    await clock.sleep(each.serviceMs);
    visits.push({ host: each.host, name: each.name, startMs, endMs: clock.now().getTime() });
    return { delayMs: each.delayMs, next: each.next };
  };
  const { concurrency = 10, signal } = options;
  await clock.run(runByHost({ items, hostOf: ({ host }) => host, concurrency, serve, clock, signal }));
  return visits;
}

function byHost(visits: Visit[]): Visit[][] {
  return [...Map.groupBy(visits, ({ host }) => host).values()];
}

/** The gaps between one visit's end and the next one's start, host by host. */
function gapsOf(visits: Visit[]): number[] {
  return byHost(visits).flatMap((ofHost) =>
    ofHost.slice(1).map(({ startMs }, index) => startMs - (ofHost[index]?.endMs ?? 0)),
  );
}

describe("runByHost", () => {
  it("no items → resolves at once", async () => {
    expect(await visit([])).toEqual([]);
  });

  it.each([0, 1, 250])(
    "delay of %i ms → one at a time per host, in order, each after the delay",
    async (delayMs) => {
      const random = seededRandom(delayMs + 1);
      const items = Array.from({ length: 300 }, (_, index) =>
        item(`h${index % 7}`, String(index), { delayMs, serviceMs: Math.ceil(random() * 40) }),
      );
      const visits = await visit(items, { concurrency: 3 });
      expect(visits).toHaveLength(300);
      expect(Math.min(...gapsOf(visits))).toBe(delayMs);
      for (const ofHost of byHost(visits)) {
        const names = ofHost.map(({ name }) => Number(name));
        expect(names).toEqual(names.toSorted((a, b) => a - b));
      }
    },
  );

  it("concurrency 3 → never more than 3 at once", async () => {
    const visits = await visit(
      Array.from({ length: 60 }, (_, index) => item(`h${index % 20}`, String(index))),
      { concurrency: 3 },
    );
    const most = visits.map(
      ({ startMs }) => visits.filter((other) => other.startMs <= startMs && startMs < other.endMs).length,
    );
    expect(Math.max(...most)).toBe(3);
  });

  it("one slot → the host with the most work left comes first", async () => {
    const items = [item("short", "s1"), item("long", "l1"), item("long", "l2"), item("long", "l3")];
    const visits = await visit(items, { concurrency: 1 });
    expect(visits.map(({ name }) => name).slice(0, 2)).toEqual(["l1", "l2"]);
  });

  it("a host not yet requested → counts as the slowest one seen and comes before hosts with as much work", async () => {
    const items = ["a", "b", "c"].flatMap((host) => [item(host, `${host}1`), item(host, `${host}2`)]);
    const visits = await visit(items, { concurrency: 1 });
    expect(visits.map(({ name }) => name).slice(0, 3)).toEqual(["a1", "b1", "c1"]);
  });

  it("one host within its delay → other hosts are served meanwhile", async () => {
    const items = [item("slow", "1", { delayMs: 1000 }), item("slow", "2"), item("quick", "3")];
    const visits = await visit(items, { concurrency: 1 });
    expect(visits.map(({ name, startMs }) => [name, startMs])).toEqual([
      ["1", 0],
      ["3", 10],
      ["2", 1010],
    ]);
  });

  it("a retry → comes after the delay, before the other items of its host", async () => {
    const retry = item("a", "1 retried");
    const visits = await visit([item("a", "1", { delayMs: 500, next: retry }), item("a", "2")]);
    expect(visits.map(({ name, startMs }) => [name, startMs])).toEqual([
      ["1", 0],
      ["1 retried", 510],
      ["2", 520],
    ]);
  });

  it("a redirect to another host → waits for that host's delay", async () => {
    const hop = item("b", "hop");
    const items = [item("a", "redirects", { next: hop }), item("b", "other", { delayMs: 300 })];
    const visits = await visit(items);
    expect(visits.at(-1)).toEqual({ host: "b", name: "hop", startMs: 310, endMs: 320 });
  });

  it("a redirect to a host with an empty queue → waits for that host's delay", async () => {
    const hop = item("b", "hop");
    const items = [item("a", "redirects", { serviceMs: 50, next: hop }), item("b", "only", { delayMs: 200 })];
    expect((await visit(items)).at(-1)?.startMs).toBe(210);
  });

  it("aborted → starts nothing more; requests in flight finish", async () => {
    const stop = new AbortController();
    const visits = await visit(
      Array.from({ length: 10 }, (_, index) => item("a", String(index))),
      { signal: stop.signal, onServe: (name) => name === "3" && stop.abort() },
    );
    expect(visits.map(({ name }) => name)).toEqual(["0", "1", "2", "3"]);
  });

  it("aborted beforehand → starts nothing", async () => {
    expect(await visit([item("a", "1")], { signal: AbortSignal.abort() })).toEqual([]);
  });

  it("serve throws → rejects with the error once nothing is in flight", async () => {
    const clock = new VirtualClock();
    const ended: string[] = [];
    const run = runByHost({
      items: ["broken", "slow", "late"],
      hostOf: (name) => (name === "late" ? "slow" : name),
      concurrency: 2,
      clock,
      serve: async (name) => {
        if (name === "broken") throw new Error("defect");
        await clock.sleep(100);
        ended.push(name);
        return { delayMs: 0 };
      },
    });
    await expect(clock.run(run)).rejects.toThrow("defect");
    expect(ended).toEqual(["slow"]);
  });
});

/** Items per host, largest first. */
const loads = {
  uniform: Array.from({ length: 200 }, () => 40),
  Zipf: Array.from({ length: 400 }, (_, index) => Math.ceil(1200 / (index + 1))),
  "one giant host": [1500, ...Array.from({ length: 300 }, () => 20)],
};

describe("makespan over its lower bound", () => {
  // Few slots are often all busy when the longest host's delay ends: then that host waits for one.
  const mostAt = { 1: 1.01, 4: 1.03, 16: 1.01, 64: 1.01, 256: 1.01, 1024: 1.01 };
  const cases = Object.keys(loads).flatMap((load) =>
    Object.entries(mostAt).map(([concurrency, most]) => ({
      load: load as keyof typeof loads,
      concurrency: Number(concurrency),
      most,
    })),
  );

  it.each(cases)("$load load, $concurrency at once → at most $most", async ({ load, concurrency, most }) => {
    const random = seededRandom(concurrency);
    const items = loads[load].flatMap((count, host) => {
      const meanMs = 20 + random() * 180;
      const delayMs = Math.round(random() * 400);
      return Array.from({ length: count }, (_, index) =>
        item(`h${host}`, String(index), { delayMs, serviceMs: Math.ceil(meanMs * (0.5 + random())) }),
      );
    });
    const visits = await visit(items, { concurrency });
    expect(visits).toHaveLength(items.length);
    const chains = [...Map.groupBy(items, ({ host }) => host).values()].map((ofHost) =>
      ofHost.reduce((sum, { serviceMs, delayMs }) => sum + serviceMs + delayMs, -(ofHost[0]?.delayMs ?? 0)),
    );
    const total = items.reduce((sum, { serviceMs }) => sum + serviceMs, 0);
    const bound = Math.max(...chains, total / concurrency);
    expect(Math.max(...visits.map(({ endMs }) => endMs)) / bound).toBeLessThanOrEqual(most);
  });
});
