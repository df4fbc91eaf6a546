import { describe, expect, it } from "vitest";
import type { ExchangeOutcome } from "../../../../shared/web/exchange/exchange.ts";
import type { GatePolicy } from "../../../../shared/web/gate/gate-policy.ts";

import { type Answers, answer, failure, GateWorld, noRobots, startMs, storedDelayMs } from "../gate-world.ts";

const host = "https://journal.example";
const bodyProblem = { reason: "reset", detail: "why" };

describe("retries", () => {
  const busy = (headers = {}) => answer(503, headers);

  it.each([
    ["503, random 0", 750, busy(), 0],
    ["503, random 1/2", 1000, busy(), 0.5],
    ["503, random near 1", 1250, busy(), 0.999],
    ["Retry-After in seconds", 120_000, busy({ "retry-after": "120" }), 0.5],
    ["Retry-After as a date", 60_000, busy({ "retry-after": "Fri, 20 Nov 2026 12:01:00 GMT" }), 0.5],
    ["Retry-After in the past", 1000, busy({ "retry-after": "Thu, 19 Nov 2026 12:00:00 GMT" }), 0.5],
    ["Retry-After of a week", 3_600_000, busy({ "retry-after": "604800" }), 0.5],
    ["Retry-After beyond all numbers", 3_600_000, busy({ "retry-after": "9".repeat(400) }), 0.5],
    ["Retry-After that is neither", 1000, busy({ "retry-after": "soon" }), 0.5],
    ["429 with Retry-After", 30_000, answer(429, { "retry-after": "30" }), 0.5],
    ["500 with Retry-After, which means nothing there", 1000, answer(500, { "retry-after": "30" }), 0.5],
    ["a reset connection", 1000, failure("reset"), 0.5],
  ])("%s → requested again after %i ms", async (_, expectedMs, first, random) => {
    const world = new GateWorld({ [`${host}/a`]: [first, answer(200)] }, { defaultDelayMs: 0 });
    world.random = random;
    await world.serveToTheEnd([{ url: `${host}/a` }]);
    expect(world.timeline).toEqual([
      ["/robots.txt", 0],
      ["/a", storedDelayMs(0)],
      ["/a", storedDelayMs(expectedMs)],
    ]);
    expect(world.outcomes).toEqual([200]);
  });

  it("back-off doubles from try to try up to its maximum; the last response counts", async () => {
    const policy = { defaultDelayMs: 0, maxAttempts: 5, backoffMaxMs: 3000 } satisfies Partial<GatePolicy>;
    const world = new GateWorld({ [`${host}/a`]: busy() }, policy);
    await world.serveToTheEnd([{ url: `${host}/a` }]);
    expect(world.timeline.slice(2).map(([, gapMs]) => gapMs)).toEqual(
      [1000, 2000, 3000, 3000].map(storedDelayMs),
    );
    expect(world.outcomes).toEqual([503]);
  });

  it.each([
    ["429 with Retry-After", answer(429, { "retry-after": "7" }), 7000],
    ["503", busy(), 1000],
    ["a reset connection", failure("reset"), 1000],
    ["a page that breaks off", { ...answer(200, {}, ""), bodyProblem }, 1000],
    ["404 whose page breaks off", { ...answer(404, {}, ""), bodyProblem }, 0],
    ["TLS, which says nothing of the host's strength", failure("tls"), 0],
  ])("%s to the only try → the host's next request comes after %i ms", async (_, first, expectedMs) => {
    const policy = { defaultDelayMs: 0, maxAttempts: 1 } satisfies Partial<GatePolicy>;
    const world = new GateWorld({ [`${host}/a`]: first as ExchangeOutcome }, policy);
    await world.serveToTheEnd([
      { url: `${host}/a`, obeyRobots: false },
      { url: `${host}/b`, obeyRobots: false },
    ]);
    expect(world.timeline.at(-1)).toEqual(["/b", storedDelayMs(expectedMs)]);
  });

  it("only 5xx → the back-off grows over requests and invocations; a good answer ends it", async () => {
    const policy: Partial<GatePolicy> = {
      defaultDelayMs: 0,
      maxAttempts: 2,
      backoffMaxMs: 20_000,
      singleAttemptAfterGivenUp: 9,
    };
    const world = new GateWorld(
      { [`${host}/a`]: busy(), [`${host}/b`]: busy(), [`${host}/c`]: busy() },
      policy,
    );
    await world.serveToTheEnd(["a", "b", "c", "d", "e"].map((path) => ({ url: `${host}/${path}` })));
    expect(world.timeline.slice(2)).toEqual([
      ["/a", storedDelayMs(1000)],
      ["/b", storedDelayMs(2000)],
      ["/b", storedDelayMs(4000)],
      ["/c", storedDelayMs(8000)],
      ["/c", storedDelayMs(16_000)],
      ["/d", storedDelayMs(20_000)],
      ["/e", storedDelayMs(0)],
    ]);
    expect(world.hosts.get("journal.example")?.failures).toBe(0);
  });

  it.each([
    ["404", answer(404)],
    ["501", answer(501)],
    ["TLS", failure("tls")],
    ["a bomb", failure("decompression-ratio")],
  ])("%s → not tried again", async (_, outcome) => {
    const world = new GateWorld({ [`${host}/a`]: outcome });
    expect(await world.serve([{ url: `${host}/a` }])).toEqual([]);
    expect(world.sent.filter(({ url }) => url.endsWith("/a"))).toHaveLength(1);
  });

  it("a host that cannot be reached → the last try waits for a probe, then all its requests get the reason", async () => {
    const world = new GateWorld({ [`${host}/a`]: failure("connect") }, { lastAttemptMinDelayMs: 330_000 });
    const requests = [{ url: `${host}/a` }, { url: `${host}/b` }, { url: `${host}/c` }];
    await world.serveToTheEnd(requests);
    expect(world.timeline).toEqual([
      ["/robots.txt", 0],
      ["/a", storedDelayMs(1000)],
      ["/a", storedDelayMs(1000)],
      ["/a", storedDelayMs(330_000)],
    ]);
    expect(world.outcomes).toEqual(["failed connect", "failed unavailable", "failed unavailable"]);
    const later = world.policy.unavailableMs;
    world.nowMs += later;
    await world.serve([{ id: "r4", url: `${host}/d` }]);
    expect(world.outcomes.at(-1)).toBe(200);
  });

  it.each([
    ["connect", "no connection to a port", [200]],
    ["dns", "no address", ["failed unavailable"]],
  ] as const)("%s: %s → requests to the other port end in %o", async (reason, _, expected) => {
    const world = new GateWorld({ [`${host}/a`]: failure(reason) }, { defaultDelayMs: 0, maxAttempts: 1 });
    await world.serveToTheEnd([{ url: `${host}/a` }]);
    world.responses.length = 0;
    await world.serveToTheEnd([{ id: "other", url: "http://journal.example/a" }]);
    expect(world.outcomes).toEqual(expected);
  });
});

describe("a host that always fails", () => {
  const policy = { defaultDelayMs: 0, maxAttempts: 4, unavailableMs: 600_000 } satisfies Partial<GatePolicy>;
  const pages = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({
      id: `r${from + index}`,
      url: `${host}/${from + index}`,
      obeyRobots: false,
      throttleMs: 0,
    }));
  const dead = (outcome: ExchangeOutcome, until = 999): Answers => ({
    [`${host}/robots.txt`]: noRobots,
    ...Object.fromEntries(pages(1, until).map(({ url }) => [url, outcome])),
  });
  const triesOf = (world: GateWorld) =>
    Object.entries(Object.groupBy(world.timeline, ([path]) => path))
      .filter(([path]) => path !== "/robots.txt")
      .map(([, tries = []]) => tries.length);

  it.each([
    ["500", answer(500), 500, "status 500"],
    ["429", answer(429), 429, "status 429"],
    ["no answer at all", failure("timeout"), "failed timeout", "timeout it was"],
    ["a page that breaks off", { ...answer(200, {}, ""), bodyProblem }, 200, "status 200, why"],
  ] as const)(
    "%s to everything → two requests get all tries, six one each, the rest the reason",
    async (...row) => {
      const [, outcome, given, last] = row;
      const world = new GateWorld(dead(outcome as ExchangeOutcome), policy);
      await world.serveToTheEnd(pages(1, 200));
      expect(triesOf(world)).toEqual([4, 4, 1, 1, 1, 1, 1, 1]);
      expect(world.outcomes).toEqual([...Array(8).fill(given), ...Array(192).fill("failed unavailable")]);
      expect(world.responses.at(-1)?.outcome).toMatchObject({
        attempts: 0,
        detail: expect.stringMatching(
          new RegExp(
            `^journal.example is unavailable since 2026.*: 8 requests in a row had no .* the last: ${last}$`,
          ),
        ),
      });
      // Instead of 200 times 20 minutes.
      expect(world.nowMs - startMs).toBeLessThan(3_600_000);
    },
  );

  it("ten minutes later → one request is tried once, the rest get the reason again; a good answer clears it", async () => {
    const world = new GateWorld(dead(answer(500), 30), policy);
    await world.serveToTheEnd(pages(1, 20));
    world.nowMs += policy.unavailableMs;
    world.responses.length = 0;
    await world.serveToTheEnd(pages(21, 25));
    expect(world.outcomes).toEqual([500, ...Array(4).fill("failed unavailable")]);
    world.nowMs += policy.unavailableMs;
    await world.serveToTheEnd([{ ...pages(31, 31)[0], url: `${host}/back` }]);
    const before = world.sent.length;
    await world.serveToTheEnd([{ ...pages(26, 26)[0], url: `${host}/26` }]);
    expect(world.sent.length - before).toBe(4);
  });

  it("requested again after hours → all attempts: old failures do not count", async () => {
    const world = new GateWorld(dead(answer(500)), policy);
    await world.serveToTheEnd(pages(1, 4));
    world.nowMs += 2 * 3_600_000;
    const before = triesOf(world).length;
    await world.serveToTheEnd(pages(5, 8));
    expect(triesOf(world).slice(before)).toEqual([4, 4, 1, 1]);
    expect(world.outcomes).toEqual(Array(8).fill(500));
  });

  it("some bad pages among good ones → all are requested, with all attempts", async () => {
    const world = new GateWorld(
      { ...dead(answer(500), 0), [`${host}/1`]: answer(500), [`${host}/3`]: answer(500) },
      policy,
    );
    await world.serveToTheEnd(pages(1, 4));
    expect(triesOf(world)).toEqual([4, 1, 4, 1]);
    expect(world.outcomes).toEqual([500, 200, 500, 200]);
  });

  it("it answers another host's request for robots.txt → requests continue at once", async () => {
    const world = new GateWorld(
      {
        ...dead(answer(500), 12),
        "https://moved.example/robots.txt": answer(301, { location: `${host}/robots.txt` }),
      },
      policy,
    );
    await world.serveToTheEnd(pages(1, 10));
    world.nowMs += 300_000;
    await world.serveToTheEnd([{ id: "other", url: "https://moved.example/a" }]);
    await world.serveToTheEnd(pages(13, 13));
    expect(world.outcomes.slice(-2)).toEqual([200, 200]);
  });
});

describe("a captured request that is repeated", () => {
  const bodyPolicy = { type: "capture" as const, maxBytes: 1000 };
  const rules = `${host}/robots.txt`;
  const captured = (outcome: ExchangeOutcome, second: number): ExchangeOutcome => {
    const startedAt = `2026-11-20T12:00:0${second}.000Z`;
    const facts = { startedAt, requestHead: "", headBytes: 1, sha1: "", payloadBytes: 0, payloadSha1: "" };
    return { ...outcome, stored: { key: `k${second}`, sizeBytes: 1, capture: facts } } as ExchangeOutcome;
  };
  const interims = [
    { url: rules, startedAt: "2026-11-20T12:00:01.000Z" },
    { url: `${host}/a`, startedAt: "2026-11-20T12:00:02.000Z" },
    { url: `${host}/a`, startedAt: "2026-11-20T12:00:03.000Z" },
  ];

  it.each<[string, ExchangeOutcome]>([
    ["answered", captured(answer(200), 4)],
    ["not answered", failure("reset")],
  ])("%s at last → that response alone names the exchanges before it", async (_title, last) => {
    const attempts = [captured(answer(503), 2), captured(failure("reset"), 3), last];
    const world = new GateWorld({ [rules]: captured(noRobots, 1), [`${host}/a`]: attempts });
    await world.serveToTheEnd([
      { url: `${host}/a`, bodyPolicy },
      { url: `${host}/b`, bodyPolicy },
    ]);
    const own = world.responses.filter(({ request }) => request.id === "r1");
    expect(own.map(({ outcome }) => outcome.type !== "refused" && outcome.isInterim)).toEqual([
      true,
      true,
      true,
      undefined,
    ]);
    expect(own.at(-1)?.interims).toEqual(interims);
    expect(world.responses.find(({ request }) => request.id === "r2")).not.toHaveProperty("interims");
  });

  it("refused when its time is over → the refusal names them", async () => {
    const attempts = [captured(answer(503), 2), captured(failure("reset"), 3), answer(200)];
    const world = new GateWorld({ [rules]: captured(noRobots, 1), [`${host}/a`]: attempts });
    const notAfter = new Date(startMs + 1500).toISOString();
    await world.serveToTheEnd([{ url: `${host}/a`, bodyPolicy, notAfter }]);
    expect(world.outcomes.at(-1)).toBe("refused too-late");
    expect(world.responses.at(-1)?.interims).toEqual(interims);
  });
});
