import { describe, expect, it } from "vitest";
import type { ExchangeOutcome } from "../../../../shared/web/exchange/exchange.ts";
import type { GatePorts } from "../../../../shared/web/gate/gate.ts";
import { newHost } from "../../../../shared/web/gate/host-state.ts";
import {
  type Answers,
  answer,
  failure,
  GateWorld,
  kept,
  messageOf,
  noRobots,
  startMs,
} from "../gate-world.ts";

const host = "https://journal.example";
const bodyProblem = { reason: "reset", detail: "why" };

describe("waits", () => {
  it("short ones → inside, counted from the end of the request before; the order is kept", async () => {
    const world = new GateWorld({});
    expect(await world.serve([{ url: `${host}/a` }, { url: `${host}/b` }, { url: `${host}/c` }])).toEqual([]);
    expect(world.timeline).toEqual([
      ["/robots.txt", 0],
      ["/a", kept(1000)],
      ["/b", kept(1000)],
      ["/c", kept(1000)],
    ]);
    expect(world.responses.map(({ request }) => request.id)).toEqual(["r1", "r2", "r3"]);
  });

  it("a long one → every message that is left is handed back for the wait", async () => {
    const world = new GateWorld({});
    const requests = [
      { url: `${host}/a`, throttleMs: 0 },
      { url: `${host}/b`, throttleMs: 5000 },
      { url: `${host}/c` },
      { url: `${host}/d` },
    ];
    expect(await world.serve(requests)).toEqual(["m2", "m3", "m4"]);
    expect(world.handedBack).toEqual([{ messageIds: ["m2", "m3", "m4"], waitMs: kept(5000) }]);
  });

  it.each([
    [100, 1500, kept(1500)],
    [1500, 100, kept(1500)],
  ])("throttles of %i and then %i ms → %i ms between the two", async (first, second, gapMs) => {
    const world = new GateWorld({});
    const requests = [
      { url: `${host}/a`, throttleMs: first, obeyRobots: false },
      { url: `${host}/b`, throttleMs: second, obeyRobots: false },
    ];
    expect(await world.serve(requests)).toEqual([]);
    expect(world.timeline.at(-1)).toEqual(["/b", gapMs]);
  });

  it("a request of another host in the group → served in the line of its own host", async () => {
    const world = new GateWorld({});
    const other = "https://other.example";
    const requests = [{ url: `${host}/a` }, { url: `${other}/b` }, { url: `${host}/c` }];
    expect(await world.serve(requests)).toEqual([]);
    expect(world.responses.map(({ request }) => request.id)).toEqual(["r1", "r3", "r2"]);
    expect(world.hosts.get("other.example")?.settled).toEqual(["r2-0"]);
    expect(world.hosts.get("journal.example")?.settled).toEqual(["r3-0", "r1-0"]);
  });

  it("a short one at the end of the invocation → handed back for it", async () => {
    const world = new GateWorld({});
    world.remainingMs = world.policy.exchangeMaxMs;
    expect(await world.serve([{ url: `${host}/a` }])).toEqual(["m1"]);
    expect(world.handedBack).toEqual([{ messageIds: ["m1"], waitMs: 0 }]);
    expect(world.asked).toEqual([]);
  });

  it.each([
    ["the throttle is longer", 3000, 3000, 1000],
    ["the Crawl-delay is longer", 2000, 100, 2000],
    ["the Crawl-delay is below the minimum", 500, 100, 100],
    ["the Crawl-delay is above the maximum", 20_000, 100, 90_000],
  ])("%s → the delay is %i ms", async (_, expected, throttleMs, crawlDelayMs) => {
    const robots = answer(200, {}, `User-agent: *\nCrawl-delay: ${crawlDelayMs / 1000}`);
    const policy = { crawlDelayMinMs: 500, crawlDelayMaxMs: 20_000 };
    const world = new GateWorld({ [`${host}/robots.txt`]: robots }, policy);
    const requests = [
      { url: `${host}/a`, throttleMs, obeyRobots: false },
      { url: `${host}/b`, throttleMs },
    ];
    await world.serveToTheEnd(requests);
    expect(world.timeline).toEqual([
      ["/robots.txt", 0],
      ["/a", kept(expected)],
      ["/b", kept(expected)],
    ]);
  });
});

describe("a request that is not wanted any more when its turn comes", () => {
  it("→ refused, its host asked nothing, not even robots.txt; the others are served", async () => {
    const world = new GateWorld(
      {},
      {},
      { whyWithdrawn: async ({ url }) => (url.endsWith("/1") ? "it is held" : undefined) },
    );
    expect(await world.serve([{ url: "https://a.example/1" }])).toEqual([]);
    expect(world.asked).toEqual([]);
    await world.serve([{ url: "https://a.example/2" }]);
    expect(world.outcomes).toEqual(["refused withdrawn", 200]);
  });
});

describe("delays that are set for all sources", () => {
  const robots = answer(200, {}, "User-agent: *\nCrawl-delay: 4\nDisallow: /admin");
  const delays = {
    defaultDelayMs: 1500,
    maxDelayMs: 3000,
    hostDelays: { "journal.example": { defaultMs: 700 }, "capped.example": { maxMs: 900 } },
  };
  it.each([
    ["a host of its own → its delay, not robots.txt's", "journal.example", {}, 700],
    ["a host of its own, a source in haste → its delay", "journal.example", { throttleMs: 0 }, 700],
    ["a host of its own, a patient source → the source's", "journal.example", { throttleMs: 1200 }, 1200],
    ["a host that has a maximum alone → the default up to it", "capped.example", {}, 900],
    ["another host → the Crawl-delay up to the maximum", "other.example", {}, 3000],
    ["another host, a source in haste → the same", "other.example", { throttleMs: 0 }, 3000],
  ])("%s", async (_, name, manners, expected) => {
    const world = new GateWorld(
      { [`https://${name}/robots.txt`]: robots },
      {},
      { delays: async () => delays },
    );
    const urls = ["a", "b", "admin"].map((path) => ({ url: `https://${name}/${path}`, ...manners }));
    await world.serveToTheEnd(urls);
    expect(world.timeline.map(([path]) => path)).toEqual(["/robots.txt", "/a", "/b"]);
    expect(world.timeline.at(-1)?.[1]).toBe(kept(expected));
    expect(world.outcomes).toEqual([200, 200, "refused robots"]);
  });

  it.each([
    ["no Crawl-delay → the default", "", 1500],
    ["a Crawl-delay below the default → the default", "Crawl-delay: 0.2", 1500],
    ["a Crawl-delay between both → as it is", "Crawl-delay: 2", 2000],
  ])("%s", async (_, line, expected) => {
    const text = answer(200, {}, `User-agent: *\n${line}`);
    const world = new GateWorld(
      { [`${host}/robots.txt`]: text },
      {},
      { delays: async () => ({ ...delays, hostDelays: {} }) },
    );
    await world.serveToTheEnd([{ url: `${host}/a` }, { url: `${host}/b` }]);
    expect(world.timeline.at(-1)?.[1]).toBe(kept(expected));
  });

  it("none are set → those of the policy", async () => {
    const world = new GateWorld({}, { defaultDelayMs: 300 }, { delays: async () => undefined });
    await world.serve([{ url: `${host}/a` }, { url: `${host}/b` }]);
    expect(world.timeline.at(-1)).toEqual(["/b", kept(300)]);
  });
});

describe("retries", () => {
  const busy = (headers = {}) => answer(503, headers);

  it.each([
    ["503, random 0", 750, busy(), 0],
    ["503, random 1/2", 1000, busy(), 0.5],
    ["503, random near 1", 1250, busy(), 0.999],
    ["Retry-After in seconds", 120_000, busy({ "retry-after": "120" }), 0.5],
    ["Retry-After as a date", 59_999, busy({ "retry-after": "Fri, 20 Nov 2026 12:01:00 GMT" }), 0.5],
    ["Retry-After in the past", 1000, busy({ "retry-after": "Thu, 19 Nov 2026 12:00:00 GMT" }), 0.5],
    ["Retry-After of a week", 3_600_000, busy({ "retry-after": "604800" }), 0.5],
    ["Retry-After beyond all numbers", 3_600_000, busy({ "retry-after": "9".repeat(400) }), 0.5],
    ["Retry-After that is neither", 1000, busy({ "retry-after": "soon" }), 0.5],
    ["429 with Retry-After", 30_000, answer(429, { "retry-after": "30" }), 0.5],
    ["500 with Retry-After, which means nothing there", 1000, answer(500, { "retry-after": "30" }), 0.5],
    ["a reset connection", 1000, failure("reset"), 0.5],
  ])("%s → asked again after %i ms", async (_, expectedMs, first, random) => {
    const world = new GateWorld({ [`${host}/a`]: [first, answer(200)] }, { defaultDelayMs: 0 });
    world.random = random;
    await world.serveToTheEnd([{ url: `${host}/a` }]);
    expect(world.timeline).toEqual([
      ["/robots.txt", 0],
      ["/a", kept(0)],
      ["/a", kept(expectedMs)],
    ]);
    expect(world.outcomes).toEqual([200]);
  });

  it("back-off doubles from try to try up to its maximum; the last answer counts", async () => {
    const policy = { defaultDelayMs: 0, attempts: 5, backoffMaxMs: 3000 };
    const world = new GateWorld({ [`${host}/a`]: busy() }, policy);
    await world.serveToTheEnd([{ url: `${host}/a` }]);
    expect(world.timeline.slice(2).map(([, gapMs]) => gapMs)).toEqual([1000, 2000, 3000, 3000].map(kept));
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
    const policy = { defaultDelayMs: 0, attempts: 1 };
    const world = new GateWorld({ [`${host}/a`]: first as ExchangeOutcome }, policy);
    await world.serveToTheEnd([
      { url: `${host}/a`, obeyRobots: false },
      { url: `${host}/b`, obeyRobots: false },
    ]);
    expect(world.timeline.at(-1)).toEqual(["/b", kept(expectedMs)]);
  });

  it("5xx all the time → the back-off grows over requests and invocations; a good answer ends it", async () => {
    const policy = { defaultDelayMs: 0, attempts: 2, backoffMaxMs: 20_000, oneTryAfter: 9 };
    const world = new GateWorld(
      { [`${host}/a`]: busy(), [`${host}/b`]: busy(), [`${host}/c`]: busy() },
      policy,
    );
    await world.serveToTheEnd(["a", "b", "c", "d", "e"].map((path) => ({ url: `${host}/${path}` })));
    expect(world.timeline.slice(2)).toEqual([
      ["/a", kept(1000)],
      ["/b", kept(2000)],
      ["/b", kept(4000)],
      ["/c", kept(8000)],
      ["/c", kept(16_000)],
      ["/d", kept(20_000)],
      ["/e", kept(0)],
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
    expect(world.asked.filter(({ url }) => url.endsWith("/a"))).toHaveLength(1);
  });

  it("a host that cannot be reached → the last try waits for a probe, then all its requests get the reason", async () => {
    const world = new GateWorld({ [`${host}/a`]: failure("connect") }, { lastTryAfterMs: 330_000 });
    const requests = [{ url: `${host}/a` }, { url: `${host}/b` }, { url: `${host}/c` }];
    await world.serveToTheEnd(requests);
    expect(world.timeline).toEqual([
      ["/robots.txt", 0],
      ["/a", kept(1000)],
      ["/a", kept(1000)],
      ["/a", kept(330_000)],
    ]);
    expect(world.outcomes).toEqual(["failed connect", "failed unreachable", "failed unreachable"]);
    const later = world.policy.unreachableMs;
    world.nowMs += later;
    await world.serve([{ id: "r4", url: `${host}/d` }]);
    expect(world.outcomes.at(-1)).toBe(200);
  });

  it.each([
    ["connect", "no connection to a port", [200]],
    ["dns", "no address", ["failed unreachable"]],
  ] as const)("%s: %s → requests to the other port end in %o", async (reason, _, expected) => {
    const world = new GateWorld({ [`${host}/a`]: failure(reason) }, { defaultDelayMs: 0, attempts: 1 });
    await world.serveToTheEnd([{ url: `${host}/a` }]);
    world.responses.length = 0;
    await world.serveToTheEnd([{ id: "other", url: "http://journal.example/a" }]);
    expect(world.outcomes).toEqual(expected);
  });
});

describe("a host of no use", () => {
  const policy = { defaultDelayMs: 0, attempts: 4, unreachableMs: 600_000 };
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
      expect(world.outcomes).toEqual([...Array(8).fill(given), ...Array(192).fill("failed unreachable")]);
      expect(world.responses.at(-1)?.outcome).toMatchObject({
        attempts: 0,
        detail: expect.stringMatching(
          new RegExp(
            `^journal.example is left alone since 2026.*: 8 requests in a row .* the last: ${last}$`,
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
    world.nowMs += policy.unreachableMs;
    world.responses.length = 0;
    await world.serveToTheEnd(pages(21, 25));
    expect(world.outcomes).toEqual([500, ...Array(4).fill("failed unreachable")]);
    world.nowMs += policy.unreachableMs;
    await world.serveToTheEnd([{ ...pages(31, 31)[0], url: `${host}/back` }]);
    const before = world.asked.length;
    await world.serveToTheEnd([{ ...pages(26, 26)[0], url: `${host}/26` }]);
    expect(world.asked.length - before).toBe(4);
  });

  it("asked again after hours → the requests get all their tries: what was then is not in a row with it", async () => {
    const world = new GateWorld(dead(answer(500)), policy);
    await world.serveToTheEnd(pages(1, 4));
    world.nowMs += 2 * 3_600_000;
    const before = triesOf(world).length;
    await world.serveToTheEnd(pages(5, 8));
    expect(triesOf(world).slice(before)).toEqual([4, 4, 1, 1]);
    expect(world.outcomes).toEqual(Array(8).fill(500));
  });

  it("some bad pages among good ones → all are asked, with all tries", async () => {
    const world = new GateWorld(
      { ...dead(answer(500), 0), [`${host}/1`]: answer(500), [`${host}/3`]: answer(500) },
      policy,
    );
    await world.serveToTheEnd(pages(1, 4));
    expect(triesOf(world)).toEqual([4, 1, 4, 1]);
    expect(world.outcomes).toEqual([500, 200, 500, 200]);
  });

  it("it answers another line's request for a robots.txt → it is asked again at once", async () => {
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

describe("what is not asked", () => {
  it.each([
    ["another scheme", "ftp://journal.example/", "scheme"],
    ["no URL", "journal", "bad-url"],
    ["a private address", "http://10.0.0.1/", "address"],
    ["a port of another service", "http://journal.example:6379/", "port"],
  ])("%s → refused, and the batch goes on", async (_, url, reason) => {
    const world = new GateWorld({});
    expect(await world.serve([{ url }, { url: `${host}/b` }])).toEqual([]);
    expect(world.outcomes).toEqual([`refused ${reason}`, 200]);
  });

  it.each([
    ["before its time is over", 0, [200, 200]],
    ["a moment after", 1, ["refused too-late", 200]],
    ["days later", 5 * 86_400_000, ["refused too-late", 200]],
  ])("a request that is wanted until a time, %s → $2", async (_, laterMs, expected) => {
    const world = new GateWorld({}, { defaultDelayMs: 0 });
    world.nowMs += laterMs;
    const notAfter = new Date(startMs).toISOString();
    await world.serve([
      { url: `${host}/a`, obeyRobots: false, throttleMs: 0, notAfter },
      { url: `${host}/b` },
    ]);
    expect(world.outcomes).toEqual(expected);
  });

  it("the time passes while the host is to be left alone → the rest of its line is told so at once", async () => {
    const notAfter = new Date(startMs + 60_000).toISOString();
    const world = new GateWorld({ [`${host}/a`]: answer(503, { "retry-after": "120" }) });
    const requests = ["a", "b", "c"].map((path) => ({ url: `${host}/${path}`, notAfter }));
    await world.serveToTheEnd(requests);
    expect(world.timeline.map(([path]) => path)).toEqual(["/robots.txt", "/a"]);
    expect(world.outcomes).toEqual(Array(3).fill("refused too-late"));
  });

  it("a malformed message → put aside with its reason, and the batch goes on", async () => {
    const world = new GateWorld({});
    const messages = [
      { messageId: "m1", receiptHandle: "m1", body: "{" },
      messageOf("m2", { id: "r2", kind: "unheard-of", url: host }),
      messageOf("m3", { id: "r3", kind: "feed", url: host }),
    ];
    expect(await world.serveMessages(messages)).toEqual([]);
    expect(world.putAside).toEqual([
      { messageId: "m1", reason: "the message is not JSON" },
      { messageId: "m2", reason: expect.stringContaining("kind") },
    ]);
    expect(world.outcomes).toEqual([200]);
  });

  it("a message that comes again → neither asked nor answered again", async () => {
    const world = new GateWorld({});
    await world.serve([{ url: `${host}/a` }]);
    expect(await world.serve([{ url: `${host}/a` }])).toEqual([]);
    expect(world.responses).toHaveLength(1);
    expect(world.asked).toHaveLength(2);
  });

  it("our network is down → everything is handed back, nothing counted; up again → done", async () => {
    const world = new GateWorld({ [`${host}/a`]: answer(200) });
    world.networkIsDown = true;
    expect(await world.serve([{ url: `${host}/a` }, { url: `${host}/b` }])).toEqual(["m1", "m2"]);
    expect(world.handedBack).toEqual([{ messageIds: ["m1", "m2"], waitMs: 300_000 }]);
    expect([world.asked, world.hosts.size]).toEqual([[], 0]);
    world.networkIsDown = false;
    expect(await world.serve([{ url: `${host}/a` }, { url: `${host}/b` }])).toEqual([]);
  });
});

describe("answers", () => {
  it("a redirect → a request in the line of its host, with hops and cookies", async () => {
    const headers = { location: "https://other.example/b", "set-cookie": "sid=1; Domain=example" };
    const world = new GateWorld({ [`${host}/a`]: answer(302, { ...headers, "set-cookie": "sid=1" }) });
    await world.serve([{ url: `${host}/a`, obeyRobots: false, context: { runId: "run" } }]);
    expect(world.responses).toEqual([]);
    expect(world.requested).toMatchObject([
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

  it("a redirect into private space → refused", async () => {
    const world = new GateWorld({ [`${host}/a`]: answer(302, { location: "http://169.254.169.254/" }) });
    await world.serve([{ url: `${host}/a` }]);
    expect(world.outcomes).toEqual(["refused address"]);
  });

  it("a body → kept, its key in the answer; an empty one → no key", async () => {
    const world = new GateWorld({ [`${host}/b`]: answer(200, {}, "") });
    await world.serve([{ url: `${host}/a` }, { url: `${host}/b` }]);
    const keys = world.responses.map(({ outcome }) => outcome.type === "answered" && outcome.bodyKey);
    expect(keys).toEqual(["bodies/r1-0", undefined]);
  });

  it("a body that is not wanted → neither read nor kept, nor asked for conditionally", async () => {
    const asked: unknown[] = [];
    const world = new GateWorld(
      {},
      {},
      {
        exchange: async ({ url, answerBody }) => {
          asked.push([new URL(url).pathname, answerBody]);
          return answer(200, { etag: '"1"' });
        },
      },
    );
    await world.serve([{ url: "https://a.example/x", kind: "link", keepBody: false, obeyRobots: false }]);
    expect(asked.at(-1)).toEqual(["/x", "discard"]);
    expect(world.responses[0]?.outcome).not.toHaveProperty("bodyKey");
    expect(world.validators.size).toBe(0);
  });

  it.each([
    ["no answer after a redirect", failure("dns"), [301]],
    ["a redirect that cannot be followed", answer(302), [301, 302]],
  ])("%s → the response has the statuses on the way", async (_title, outcome, statuses) => {
    const world = new GateWorld({ "https://a.example/y": outcome }, { attempts: 1 });
    await world.serve([{ url: "https://a.example/y", hops: [{ url: "https://b.example/", status: 301 }] }]);
    const [response] = world.responses;
    expect(response?.outcome).toMatchObject({ hops: statuses.map((status) => ({ status })) });
    expect(response?.request.hops).toEqual([]);
  });

  it("what was done → counted once per host and invocation", async () => {
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
          "waited-ms": 3 * kept(1000),
          retries: 1,
          "backoff-ms": kept(1000),
          "refused-scheme": 1,
        },
      },
    ]);
  });

  describe("answers that take their time to be stored", () => {
    const urls = ["a", "b", "c"].map((name) => ({ url: `${host}/${name}`, throttleMs: 0 }));

    /** A world in which storing waits until it is told how to end; the store of each answer by its request. */
    function slowStore(answers: Answers = {}) {
      const world = new GateWorld(answers, { defaultDelayMs: 0, attempts: 2, troubles: 3 });
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

    it("no delay → the next request is asked meanwhile, the one after it not; answers and ids keep their order", async () => {
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

    it("a delay → the next lease knows that the answer is stored", async () => {
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

    it("the message comes twice in a batch → asked once", async () => {
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

    it("a refusal behind it → told after it", async () => {
      const { world, begun } = slowStore();
      const serving = world.serve([{ url: `${host}/a`, throttleMs: 0 }, { url: "ftp://journal.example/" }]);
      const first = await begun("r1");
      expect(world.responses).toEqual([]);
      first?.resolve();
      (await begun("r2"))?.resolve();
      expect(await serving).toEqual([]);
      expect(world.outcomes).toEqual([200, "refused scheme"]);
    });

    it("it fails → nothing behind it is stored, all comes again, the trouble is its own, and then it has the line to itself", async () => {
      const { world, begun, paths } = slowStore();
      const serving = world.serve(urls);
      (await begun("r1"))?.reject(new Error("no queue"));
      await expect(serving).rejects.toThrow("no queue");
      expect(paths()).toEqual(["/a", "/b"]);
      expect(world.handedBack).toEqual([{ messageIds: ["m1", "m2", "m3"], waitMs: 1000 }]);
      const after = world.hosts.get("journal.example");
      expect(after).toMatchObject({ head: { exchangeId: "r1-0", troubles: 1 }, settled: [] });
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

    it("busy at the next request → its own tries are counted, whatever is stored meanwhile", async () => {
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
    "%i with a body that is %s → told with status and problem, no body",
    async (status, reason, told, outcome) => {
      const bad = { ...answer(status, {}, ""), bodyProblem: { reason, detail: "why" } } as ExchangeOutcome;
      const world = new GateWorld({ [`${host}/a`]: bad });
      await world.serve([{ url: `${host}/a` }]);
      expect(world.outcomes).toEqual([told]);
      expect(world.responses[0]?.outcome).toMatchObject(outcome);
      expect(world.responses[0]?.outcome).not.toHaveProperty("bodyKey");
    },
  );

  it("nothing asked, only refused or deferred → counted all the same", async () => {
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
      { "handed-back": 1, "waited-ms": kept(1000) },
    ]);
  });
});

describe("conditional requests", () => {
  const versioned = answer(200, {
    etag: '"1"',
    "last-modified": "Thu, 19 Nov 2026 12:00:00 GMT",
    "content-type": "text/html",
  });
  const url = `${host}/a`;

  it("asked again, 304 → the earlier answer, with its body and type", async () => {
    const world = new GateWorld({ [url]: [versioned, answer(304, { etag: '"1"' }, "")] });
    await world.serve([{ id: "first", url }]);
    world.nowMs += 86_400_000;
    await world.serve([{ id: "second", url }]);
    expect(world.asked.at(-1)?.headers).toMatchObject({
      "if-none-match": '"1"',
      "if-modified-since": "Thu, 19 Nov 2026 12:00:00 GMT",
    });
    expect(world.responses.at(-1)?.outcome).toMatchObject({
      type: "answered",
      status: 200,
      notModified: true,
      bodyKey: "bodies/first-0",
      headers: { "content-type": "text/html" },
      hops: [{ url, status: 200 }],
    });
  });

  it.each([
    ["another kind of request", { kind: "feed" as const }, 1],
    ["a chain with cookies", { cookies: ["sid=1; Domain=.journal.example; Path=/; Hop=0"] }, 1],
    ["61 days later, when the body may be gone", {}, 61],
  ])("%s → unconditional", async (_, change, days) => {
    const world = new GateWorld({ [url]: versioned });
    await world.serve([{ id: "first", url }]);
    world.nowMs += days * 86_400_000;
    await world.serve([{ id: "second", url, ...change }]);
    expect(world.asked.at(-1)?.headers).not.toHaveProperty("if-none-match");
    expect(world.outcomes).toEqual([200, 200]);
  });

  it.each([
    ["no validator", answer(200)],
    ["an ETag that is no header value", answer(200, { etag: '"é\n"' })],
    ["an error page", answer(404, { etag: '"1"' })],
  ])("%s → nothing is remembered", async (_, outcome) => {
    const world = new GateWorld({ [url]: outcome });
    await world.serve([{ url }]);
    expect(world.validators.size).toBe(0);
  });

  it("304 to a request that was not conditional → is an answer like others", async () => {
    const world = new GateWorld({ [url]: answer(304, {}, "") });
    await world.serve([{ url }]);
    expect(world.outcomes).toEqual([304]);
  });
});

describe("leases", () => {
  const url = `${host}/a`;
  const leased = (untilMs: number, exchangeId = "r1-0") => ({
    ...newHost("journal.example"),
    lease: { holder: "that", untilMs: startMs + untilMs, exchangeId },
    version: 0,
  });

  it("somebody else's → handed back until it ends", async () => {
    const world = new GateWorld({});
    world.hosts.set("journal.example", leased(70_000));
    expect(await world.serve([{ url }])).toEqual(["m1"]);
    expect(world.handedBack).toEqual([{ messageIds: ["m1"], waitMs: 70_000 }]);
    expect(world.hosts.get("journal.example")).toEqual(leased(70_000));
  });

  it("lost on the way → no other request, and the winner's state stays", async () => {
    const world = new GateWorld({}, {}, {});
    const { respond } = world.ports;
    world.ports.respond = async (response) => {
      await respond(response);
      world.hosts.set("journal.example", { ...leased(70_000), version: 99 });
    };
    expect(await world.serve([{ url }, { url: `${host}/b` }])).toEqual(["m2"]);
    expect(world.timeline.map(([path]) => path)).toEqual(["/robots.txt", "/a"]);
    expect(world.hosts.get("journal.example")?.version).toBe(99);
  });

  it("lost beside an exchange → its answer is not told, and the winner's state stays", async () => {
    const world = new GateWorld({}, { defaultDelayMs: 0 });
    const { exchange } = world.ports;
    world.ports.exchange = async (request) => {
      if (request.url === url) world.hosts.set("journal.example", { ...leased(70_000), version: 99 });
      return exchange(request);
    };
    expect(await world.serve([{ url }, { url: `${host}/b` }])).toEqual(["m2"]);
    expect(world.outcomes).toEqual([200]);
    expect(world.hosts.get("journal.example")?.version).toBe(99);
  });

  it("of a process that died → counted; after too many the request is put aside, and the next one served", async () => {
    const world = new GateWorld({}, { troubles: 3 });
    const head = { exchangeId: "r1-0", attempts: 0, troubles: 2 };
    world.hosts.set("journal.example", { ...leased(-1), head });
    expect(await world.serve([{ url }, { url: `${host}/b` }])).toEqual([]);
    expect(world.putAside).toEqual([{ messageId: "m1", reason: expect.stringContaining("3 times") }]);
    expect(world.responses.map(({ request }) => request.id)).toEqual(["r2"]);
  });

  it("this process stood still → the host is not asked", async () => {
    const world = new GateWorld({});
    const { save } = world.ports.hosts;
    world.ports.hosts.save = async (state) => {
      world.nowMs += 100_000;
      return save(state);
    };
    expect(await world.serve([{ url }])).toEqual(["m1"]);
    expect(world.asked).toEqual([]);
  });

  it("an error of ours → thrown on, the rest handed back; after too many the request is put aside", async () => {
    const world = new GateWorld({}, { troubles: 3 });
    const { respond } = world.ports;
    world.ports.respond = async (response) => {
      if (response.request.id === "r1") throw new Error("no queue");
      await respond(response);
    };
    const requests = [{ url }, { url: `${host}/b` }];
    for (let time = 1; time <= 3; time++) await expect(world.serve(requests)).rejects.toThrow("no queue");
    expect(world.handedBack).toEqual(
      [1000, 2000, 4000].map((waitMs) => ({ messageIds: ["m1", "m2"], waitMs })),
    );
    expect(await world.serve(requests)).toEqual([]);
    expect(world.putAside).toEqual([{ messageId: "m1", reason: expect.any(String) }]);
    expect(world.outcomes).toEqual([200]);
    expect(await world.serve(requests)).toEqual([]);
    expect(world.putAside).toHaveLength(1);

    world.ports.respond = respond;
    const redriven = messageOf("redriven", { id: "r1", kind: "article", url });
    expect(await world.serveMessages([redriven])).toEqual([]);
    expect(world.responses.map(({ request }) => request.id)).toEqual(["r2", "r1"]);
  });

  /** Fails the first time only. */
  const passing = () => {
    let isOver = false;
    return (): undefined => {
      if (isOver) return;
      isOver = true;
      throw new Error("once");
    };
  };

  it.each<[string, (ports: GatePorts, fail: () => undefined) => Partial<GatePorts>]>([
    ["our network's state cannot be read", (_, fail) => ({ networkIsDown: async () => fail() ?? false })],
    ["the delays cannot be read", (_, fail) => ({ delays: async () => fail() })],
    [
      "a message cannot be put aside",
      ({ putAside }, fail) => ({
        putAside: async (message, reason) => {
          fail();
          await putAside(message, reason);
        },
      }),
    ],
    [
      "the host's state cannot be read",
      ({ hosts }, fail) => ({
        hosts: {
          ...hosts,
          load: async (key) => {
            fail();
            return hosts.load(key);
          },
        },
      }),
    ],
  ])("%s, once → thrown on, everything handed back for a moment, then done", async (_, change) => {
    const world = new GateWorld({});
    Object.assign(world.ports, change(world.ports, passing()));
    const messages = [messageOf("bad", {}), messageOf("good", { id: "r1", kind: "article", url })];
    await expect(world.serveMessages(messages)).rejects.toThrow("once");
    expect(world.handedBack).toEqual([{ messageIds: ["bad", "good"], waitMs: 1000 }]);
    expect(await world.serveMessages(messages)).toEqual([]);
    expect(world.outcomes).toEqual([200]);
  });

  it("the host cannot be given free → thrown on, everything handed back for a moment, then done", async () => {
    const world = new GateWorld({});
    const { save } = world.ports.hosts;
    const fail = passing();
    world.ports.hosts.save = async (state) => {
      if (state.settled.length > 0) fail();
      return save(state);
    };
    await expect(world.serve([{ url }])).rejects.toThrow("once");
    expect(world.handedBack).toEqual([{ messageIds: ["m1"], waitMs: 1000 }]);
    expect(await world.serve([{ url }])).toEqual([]);
    expect(world.outcomes).toEqual([200]);
  });

  it("statistics cannot be stored → done all the same, and the host is free", async () => {
    const world = new GateWorld({});
    world.ports.statistics = { add: () => Promise.reject(new Error("no table")) };
    expect(await world.serve([{ url }])).toEqual([]);
    expect(world.outcomes).toEqual([200]);
    expect(world.hosts.get("journal.example")?.lease).toBeUndefined();
  });
});
