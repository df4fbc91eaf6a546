import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageMaxAgeMs } from "../../../../shared/web/gate/gate.ts";
import { answer, GateWorld, messageOf, startMs } from "../gate-world.ts";

const host = "https://journal.example";

describe("requests that are not sent", () => {
  it.each([
    ["another scheme", "ftp://journal.example/", "scheme"],
    ["no URL", "journal", "bad-url"],
    ["a private address", "http://10.0.0.1/", "address"],
    ["a port of another service", "http://journal.example:6379/", "port"],
  ])("%s → refused, and the batch continues", async (_, url, reason) => {
    const world = new GateWorld({});
    expect(await world.serve([{ url }, { url: `${host}/b` }])).toEqual([]);
    expect(world.outcomes).toEqual([`refused ${reason}`, 200]);
  });

  it.each([
    ["before its time is over", 0, [200, 200]],
    ["a moment after", 1, ["refused too-late", 200]],
    ["days later", 5 * 86_400_000, ["refused too-late", 200]],
  ])("a request with notAfter, %s → $2", async (_, laterMs, expected) => {
    const world = new GateWorld({}, { defaultDelayMs: 0 });
    world.nowMs += laterMs;
    const notAfter = new Date(startMs).toISOString();
    await world.serve([
      { url: `${host}/a`, obeyRobots: false, throttleMs: 0, notAfter },
      { url: `${host}/b` },
    ]);
    expect(world.outcomes).toEqual(expected);
  });

  it("notAfter passes while the host is unavailable → its other requests are refused at once", async () => {
    const notAfter = new Date(startMs + 60_000).toISOString();
    const world = new GateWorld({ [`${host}/a`]: answer(503, { "retry-after": "120" }) });
    const requests = ["a", "b", "c"].map((path) => ({ url: `${host}/${path}`, notAfter }));
    await world.serveToTheEnd(requests);
    expect(world.timeline.map(([path]) => path)).toEqual(["/robots.txt", "/a"]);
    expect(world.outcomes).toEqual(Array(3).fill("refused too-late"));
  });

  it("a malformed message → dead-letter queue with its reason, and the batch continues", async () => {
    const world = new GateWorld({});
    const messages = [
      { messageId: "m1", receiptHandle: "m1", body: "{" },
      messageOf("m2", { id: "r2", kind: "unheard-of", url: host }),
      messageOf("m3", { id: "r3", kind: "feed", url: host }),
    ];
    expect(await world.serveMessages(messages)).toEqual([]);
    expect(world.deadLettered).toEqual([
      { messageId: "m1", reason: "the message is not JSON" },
      { messageId: "m2", reason: expect.stringContaining("kind") },
    ]);
    expect(world.outcomes).toEqual([200]);
  });

  it.each([
    ["twelve days ago", 0, []],
    ["a moment earlier", 1, [{ messageId: "m1", reason: "waited for more than 12 days" }]],
  ])(
    "sent %s → rejected if it is older, whether our network is up or not",
    async (_title, olderMs, rejected) => {
      for (const networkIsDown of [false, true]) {
        const world = new GateWorld({});
        world.networkIsDown = networkIsDown;
        const SentTimestamp = String(world.nowMs - messageMaxAgeMs - olderMs);
        const message = messageOf("m1", { id: "r1", kind: "feed", url: host });
        await world.serveMessages([{ ...message, attributes: { SentTimestamp } }]);
        expect(world.deadLettered).toEqual(rejected);
        if (rejected.length > 0) expect([world.sent, world.returned]).toEqual([[], []]);
      }
    },
  );

  it("a capture that has waited too long → rejected, and its crawl is told so", async () => {
    const world = new GateWorld({});
    const bodyPolicy = { type: "capture", maxBytes: 1000 };
    const SentTimestamp = String(world.nowMs - messageMaxAgeMs - 1);
    const message = messageOf("m1", { id: "r1", kind: "capture", url: host, bodyPolicy });
    await world.serveMessages([{ ...message, attributes: { SentTimestamp } }]);
    expect(world.deadLettered).toEqual([{ messageId: "m1", reason: "waited for more than 12 days" }]);
    expect(world.outcomes).toEqual(["refused dead-lettered"]);
  });

  it("however often a request waits, and however late it is received → rejected before SQS deletes it", async () => {
    const longestHiddenMs = 12 * 3_600_000;
    const delays = fc.array(fc.integer({ min: 0, max: longestHiddenMs }), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(delays, async (laterMs) => {
        const world = new GateWorld({});
        world.networkIsDown = true;
        const message = messageOf("m1", { id: "r1", kind: "feed", url: host });
        const attributes = { SentTimestamp: String(startMs) };
        for (let turn = 0; world.deadLettered.length === 0; turn += 1) {
          await world.serveMessages([{ ...message, attributes }]);
          const waitMs = world.returned.at(-1)?.waitMs ?? 0;
          world.nowMs += Math.max(waitMs, laterMs[turn % laterMs.length] ?? 0);
        }
        expect(world.nowMs - startMs).toBeLessThan(14 * 86_400_000);
      }),
      { numRuns: 30 },
    );
  });

  it("a repeated message → no second request or response", async () => {
    const world = new GateWorld({});
    await world.serve([{ url: `${host}/a` }]);
    expect(await world.serve([{ url: `${host}/a` }])).toEqual([]);
    expect(world.responses).toHaveLength(1);
    expect(world.sent).toHaveLength(2);
  });

  it("our network is down → all messages are returned, nothing is counted; up again → done", async () => {
    const world = new GateWorld({ [`${host}/a`]: answer(200) });
    world.networkIsDown = true;
    expect(await world.serve([{ url: `${host}/a` }, { url: `${host}/b` }])).toEqual(["m1", "m2"]);
    expect(world.returned).toEqual([{ messageIds: ["m1", "m2"], waitMs: 300_000 }]);
    expect([world.sent, world.hosts.size]).toEqual([[], 0]);
    world.networkIsDown = false;
    expect(await world.serve([{ url: `${host}/a` }, { url: `${host}/b` }])).toEqual([]);
  });
});

describe("conditional requests", () => {
  const versioned = answer(200, {
    etag: '"1"',
    "last-modified": "Thu, 19 Nov 2026 12:00:00 GMT",
    "content-type": "text/html",
  });
  const url = `${host}/a`;

  it("requested again, 304 → the earlier response, with its body and type", async () => {
    const world = new GateWorld({ [url]: [versioned, answer(304, { etag: '"1"' }, "")] });
    await world.serve([{ id: "first", url }]);
    world.nowMs += 86_400_000;
    await world.serve([{ id: "second", url }]);
    expect(world.sent.at(-1)?.headers).toMatchObject({
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
    expect(world.sent.at(-1)?.headers).not.toHaveProperty("if-none-match");
    expect(world.outcomes).toEqual([200, 200]);
  });

  it.each([
    ["no validator", answer(200)],
    ["an ETag that is not a header value", answer(200, { etag: '"é\n"' })],
    ["an error page", answer(404, { etag: '"1"' })],
  ])("%s → no validators are stored", async (_, outcome) => {
    const world = new GateWorld({ [url]: outcome });
    await world.serve([{ url }]);
    expect(world.validators.size).toBe(0);
  });

  it("304 to a request that was not conditional → an ordinary answer", async () => {
    const world = new GateWorld({ [url]: answer(304, {}, "") });
    await world.serve([{ url }]);
    expect(world.outcomes).toEqual([304]);
  });
});
