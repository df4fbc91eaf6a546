import { describe, expect, it } from "vitest";
import type { ExchangeOutcome } from "../../../../shared/web/exchange/exchange.ts";
import type { GatePorts } from "../../../../shared/web/gate/gate-ports.ts";
import { type HostState, newHost, postponeStatistics } from "../../../../shared/web/gate/host-state.ts";
import type { NewRequest } from "../../../../shared/web/request/request.ts";
import { type Answers, answer, failure, GateWorld, storedDelayMs } from "../gate-world.ts";

const host = "https://journal.example";

describe("answers", () => {
  it("a redirect → a request in the queue of its host, with hops and cookies", async () => {
    const headers = { location: "https://other.example/b", "set-cookie": "sid=1; Domain=example" };
    const world = new GateWorld({ [`${host}/a`]: answer(302, { ...headers, "set-cookie": "sid=1" }) });
    await world.serve([{ url: `${host}/a`, obeyRobots: false, context: { runId: "run" } }]);
    expect(world.responses).toEqual([]);
    expect(world.enqueued).toMatchObject([
      {
        id: "r1",
        url: "https://other.example/b",
        hops: [{ url: `${host}/a`, status: 302 }],
        cookies: [expect.stringContaining("sid=1")],
        obeyRobots: false,
        context: { runId: "run" },
      },
    ]);
  });

  it("a redirect to a private address → refused", async () => {
    const world = new GateWorld({ [`${host}/a`]: answer(302, { location: "http://169.254.169.254/" }) });
    await world.serve([{ url: `${host}/a` }]);
    expect(world.outcomes).toEqual(["refused address"]);
  });

  it("a body → kept, its key in the response; an empty one → no key", async () => {
    const world = new GateWorld({ [`${host}/b`]: answer(200, {}, "") });
    await world.serve([{ url: `${host}/a` }, { url: `${host}/b` }]);
    const keys = world.responses.map(({ outcome }) => outcome.type === "answered" && outcome.bodyKey);
    expect(keys).toEqual(["bodies/r1-0", undefined]);
  });

  it.each<[what: string, wish: NewRequest["bodyPolicy"], status: number, type: string]>([
    ["a page, where none is wanted", "discard", 200, "text/html"],
    ["a PDF, where a rule is tried", "markup", 200, "application/pdf"],
    ["an error page, where a link is checked", "markup-if-inconclusive", 404, "text/html"],
  ])("%s → not read, not stored, not requested conditionally", async (_what, bodyPolicy, status, type) => {
    const headers = { "content-type": type, etag: '"1"' };
    let wanted: unknown;
    const exchange: GatePorts["exchange"] = async ({ bodyMode }) => {
      wanted = typeof bodyMode === "function" ? bodyMode({ status, headers }) : bodyMode;
      return answer(status, headers);
    };
    const world = new GateWorld({}, {}, { exchange });
    await world.serve([{ url: "https://a.example/x", kind: "link", bodyPolicy, obeyRobots: false }]);
    expect(wanted).toBe("discard");
    expect(world.responses[0]?.outcome).not.toHaveProperty("bodyKey");
    expect(world.validators.size).toBe(0);
  });

  it.each([
    ["no answer after a redirect", failure("dns"), [301]],
    ["a redirect that cannot be followed", answer(302), [301, 302]],
  ])("%s → the response has the statuses on the way", async (_title, outcome, statuses) => {
    const world = new GateWorld({ "https://a.example/y": outcome }, { maxAttempts: 1 });
    await world.serve([{ url: "https://a.example/y", hops: [{ url: "https://b.example/", status: 301 }] }]);
    const [response] = world.responses;
    expect(response?.outcome).toMatchObject({ hops: statuses.map((status) => ({ status })) });
    expect(response?.request.hops).toEqual([]);
  });

  it("requests of an invocation → counted once per host", async () => {
    const world = new GateWorld({
      [`${host}/b`]: [answer(503), answer(404)],
      [`${host}/c`]: failure("timeout"),
    });
    await world.serve([{ url: `${host}/a` }, { url: `${host}/b` }, { url: "ftp://journal.example/" }]);
    expect(world.statistics).toEqual([
      {
        hostKey: "journal.example",
        day: "2026-11-20",
        statistics: {
          requests: 4,
          "status-2xx": 1,
          "status-4xx": 2,
          "status-5xx": 1,
          bytes: 16,
          "elapsed-ms": 40,
          "waited-ms": 3 * storedDelayMs(1000),
          retries: 1,
          "backoff-ms": storedDelayMs(1000),
          "refused-scheme": 1,
        },
      },
    ]);
  });

  describe("answers that are stored slowly", () => {
    const urls = ["a", "b", "c"].map((name) => ({ url: `${host}/${name}`, throttleMs: 0 }));

    /** A world in which storing waits until the test sets its outcome; the store of each response by its request. */
    function slowStore(answers: Answers = {}) {
      const world = new GateWorld(answers, { defaultDelayMs: 0, maxAttempts: 2, maxCrashes: 3 });
      const stores = new Map<string, PromiseWithResolvers<void>>();
      const { respond } = world.ports;
      world.ports.respond = async (response) => {
        const store = Promise.withResolvers<void>();
        stores.set(response.request.id, store);
        await store.promise;
        await respond(response);
      };
      const begun = async (id: string) => {
        while (!stores.has(id)) await new Promise(setImmediate);
        for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
        return stores.get(id);
      };
      const paths = () => world.timeline.map(([path]) => path).filter((path) => path !== "/robots.txt");
      return { world, begun, paths };
    }

    it("no delay → the next request is sent meanwhile, but only one; answers and ids keep their order", async () => {
      const { world, begun, paths } = slowStore();
      const serving = world.serve(urls);
      const first = await begun("r1");
      expect(paths()).toEqual(["/a", "/b"]);
      first?.resolve();
      for (const id of ["r2", "r3"]) (await begun(id))?.resolve();
      expect(await serving).toEqual([]);
      expect(world.responses.map(({ request }) => request.id)).toEqual(["r1", "r2", "r3"]);
      expect(world.hosts.get("journal.example")?.settled).toEqual(["r3-0", "r2-0", "r1-0"]);
    });

    it("a delay → the next lease knows that the response is stored", async () => {
      const { world, begun, paths } = slowStore();
      const serving = world.serve(urls.map((request) => ({ ...request, throttleMs: 500 })));
      const first = await begun("r1");
      expect(paths()).toEqual(["/a"]);
      first?.resolve();
      const second = await begun("r2");
      expect(paths()).toEqual(["/a", "/b"]);
      expect(world.hosts.get("journal.example")?.settled).toEqual(["r1-0"]);
      second?.resolve();
      (await begun("r3"))?.resolve();
      expect(await serving).toEqual([]);
    });

    it("the same message twice in a batch → one request", async () => {
      const { world, begun, paths } = slowStore();
      const [a, b] = urls;
      const serving = world.serve(
        [a, a, b].map((request, index) => ({ url: "", ...request, id: index < 2 ? "r1" : "r2" })),
      );
      (await begun("r1"))?.resolve();
      (await begun("r2"))?.resolve();
      expect(await serving).toEqual([]);
      expect(paths()).toEqual(["/a", "/b"]);
    });

    it("a refusal after it → reported after it", async () => {
      const { world, begun } = slowStore();
      const serving = world.serve([{ url: `${host}/a`, throttleMs: 0 }, { url: "ftp://journal.example/" }]);
      const first = await begun("r1");
      expect(world.responses).toEqual([]);
      first?.resolve();
      (await begun("r2"))?.resolve();
      expect(await serving).toEqual([]);
      expect(world.outcomes).toEqual([200, "refused scheme"]);
    });

    it("storing fails → nothing after it is stored, all messages return, the crash counts for it, and its retry runs alone", async () => {
      const { world, begun, paths } = slowStore();
      const serving = world.serve(urls);
      (await begun("r1"))?.reject(new Error("no queue"));
      await expect(serving).rejects.toThrow("no queue");
      expect(paths()).toEqual(["/a", "/b"]);
      expect(world.returned).toEqual([{ messageIds: ["m1", "m2", "m3"], waitMs: 1000 }]);
      const after = world.hosts.get("journal.example");
      expect(after).toMatchObject({ pendingExchange: { exchangeId: "r1-0", crashes: 1 }, settled: [] });
      expect(after).not.toHaveProperty("lease");

      const again = slowStore();
      if (after !== undefined) again.world.hosts.set("journal.example", after);
      const servingAgain = again.world.serve(urls);
      const first = await again.begun("r1");
      expect(again.paths()).toEqual(["/a"]);
      first?.resolve();
      for (const id of ["r2", "r3"]) (await again.begun(id))?.resolve();
      expect(await servingAgain).toEqual([]);
      expect(again.world.hosts.get("journal.example")).not.toHaveProperty("head");
    });

    it("the process dies meanwhile → the lease names the request whose answer was not stored", async () => {
      const { world, begun } = slowStore();
      void world.serve(urls);
      await begun("r1");
      const dead = world.hosts.get("journal.example");
      expect(dead).toMatchObject({ lease: { holder: "this", exchangeId: "r1-0" }, settled: [] });

      const later = new GateWorld({}, { defaultDelayMs: 0 });
      if (dead !== undefined) later.hosts.set("journal.example", dead);
      await later.serveToTheEnd(urls);
      expect(later.responses.map(({ request }) => request.id)).toEqual(["r1", "r2", "r3"]);
    });

    it("still storing at the next request → that request counts its own attempts", async () => {
      const { world, begun, paths } = slowStore({ [`${host}/b`]: [answer(503), answer(503), answer(200)] });
      const serving = world.serve(urls);
      const first = await begun("r1");
      expect(paths()).toEqual(["/a", "/b"]);
      first?.resolve();
      for (const id of ["r2", "r3"]) (await begun(id))?.resolve();
      expect(await serving).toEqual([]);
      expect(world.outcomes).toEqual([200, 503, 200]);
    });
  });

  it.each([
    [200, "bad-encoding", 200, { status: 200, bodyProblem: { reason: "bad-encoding" } }],
    [404, "reset", 404, { status: 404, bodyProblem: { reason: "reset" } }],
  ] as const)(
    "%i with a body that is %s → status and problem, no body",
    async (status, reason, told, outcome) => {
      const bad = { ...answer(status, {}, ""), bodyProblem: { reason, detail: "why" } } as ExchangeOutcome;
      const world = new GateWorld({ [`${host}/a`]: bad });
      await world.serve([{ url: `${host}/a` }]);
      expect(world.outcomes).toEqual([told]);
      expect(world.responses[0]?.outcome).toMatchObject(outcome);
      expect(world.responses[0]?.outcome).not.toHaveProperty("bodyKey");
    },
  );

  it("no request sent, only refusals and deferrals → counted", async () => {
    const world = new GateWorld({ [`${host}/robots.txt`]: answer(200, {}, "User-agent: *\nDisallow: /x") });
    await world.serve([{ url: `${host}/x1` }]);
    world.statistics.length = 0;
    await world.serve([
      { id: "x2", url: `${host}/x2` },
      { id: "x3", url: `${host}/x3` },
    ]);
    world.remainingMs = 0;
    await world.serve([{ id: "y", url: `${host}/y` }]);
    expect(world.statistics.map(({ statistics }) => statistics)).toEqual([
      { "refused-robots": 2 },
      { deferrals: 1, "waited-ms": storedDelayMs(1000) },
    ]);
  });

  describe("long waits between requests", () => {
    const requests = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        url: `${host}/${at}`,
        throttleMs: 5000,
        obeyRobots: false,
      }));
    const counted = ({ statistics }: GateWorld) =>
      statistics.map(({ day, statistics: { requests } }) => ({ day, requests }));

    it("→ counted with the last request, robots.txt included, in one addition", async () => {
      const world = new GateWorld({});
      await world.serveToTheEnd(requests(4));
      expect(counted(world)).toEqual([{ day: expect.any(String), requests: 5 }]);
      expect(world.statistics[0]?.statistics).toMatchObject({ "status-2xx": 4, deferrals: 4 });
      expect(world.hosts.get("journal.example")).not.toHaveProperty("uncounted");
    });

    it("and many requests → counted twenty at a time", () => {
      const day = "2026-11-23";
      const few = postponeStatistics(newHost("a"), { day, numbers: { requests: 19, retries: 1 } });
      expect(few?.uncounted).toEqual({ day, numbers: { requests: 19, retries: 1 } });
      expect(postponeStatistics(few as HostState, { day, numbers: { requests: 1 } })).toBeUndefined();
    });

    it("over midnight → each counted on its day", async () => {
      const world = new GateWorld({});
      expect(await world.serve(requests(3))).toHaveLength(3);
      world.nowMs += 86_400_000;
      await world.serveToTheEnd(requests(3));
      const [first, ...others] = counted(world);
      expect(first?.requests).toBe(1);
      // The other two, and robots.txt, which is a day old.
      expect(others.reduce((sum, { requests = 0 }) => sum + requests, 0)).toBe(world.sent.length - 1);
      expect(others.map(({ day }) => day)).not.toContain(first?.day);
    });
  });
});
