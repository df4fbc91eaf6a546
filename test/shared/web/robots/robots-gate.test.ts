import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { defaultAddressPolicy } from "../../../../shared/web/address/admit-url.ts";
import { createHttpClient } from "../../../../shared/web/exchange/http-client.ts";
import { newHost } from "../../../../shared/web/gate/host-state.ts";
import { answer, failure, GateWorld, storedDelayMs } from "../gate-world.ts";
import { saying } from "../hostile-responses.ts";
import { serveRaw } from "../servers.ts";

const host = "https://journal.example";
const robots = `${host}/robots.txt`;
const url = `${host}/a`;
const forbidden = answer(200, {}, "User-agent: *\nDisallow: /a");
const dayMs = 86_400_000;

describe("robots.txt at the gate", () => {
  it("disallowed → refused with the line; obeyRobots false → requested", async () => {
    const world = new GateWorld({ [robots]: forbidden });
    await world.serve([{ url }, { url, obeyRobots: false }, { url: `${host}/b` }]);
    expect(world.outcomes).toEqual(["refused robots", 200, 200]);
    expect(world.responses[0]?.outcome).toMatchObject({
      detail: 'https://journal.example/robots.txt, line 2: "Disallow: /a"',
    });
  });

  it("requested once a day per origin, with the delay and User-Agent of the first request", async () => {
    const world = new GateWorld({});
    await world.serve([{ url, userAgent: "Library/1" }, { url: "http://journal.example/b" }]);
    await world.serve([{ id: "r3", url }]);
    world.nowMs += dayMs;
    await world.serve([{ id: "r4", url }]);
    expect(world.sent.map((one) => one.url)).toEqual([
      robots,
      url,
      "http://journal.example/robots.txt",
      "http://journal.example/b",
      url,
      robots,
      url,
    ]);
    const library = "Library/1";
    const names = [
      library,
      library,
      "Ingather/test",
      "Ingather/test",
      "Ingather/test",
      "Ingather/test",
      "Ingather/test",
    ];
    expect(world.sent.map(({ headers }) => headers["user-agent"])).toEqual(names);
    const gaps = world.timeline.slice(1, 4).map(([, gapMs]) => gapMs);
    expect(gaps).toEqual([storedDelayMs(1000), storedDelayMs(1000), storedDelayMs(1000)]);
  });

  it.each([
    ["404", 200, answer(404)],
    ["403", 200, answer(403)],
    ["410", 200, answer(410)],
    ["204", 200, answer(204, {}, "")],
    ["an HTML page", 200, answer(200, { "content-type": "text/html" }, "<p>Disallow: /")],
    ["a redirect without a Location", 200, answer(302)],
    ["a redirect into private space", 200, answer(302, { location: "http://10.0.0.1/" })],
    ["503", "refused robots-unreachable", answer(503)],
    ["500", "refused robots-unreachable", answer(500)],
    ["501", "refused robots-unreachable", answer(501)],
    ["429", "refused robots-unreachable", answer(429)],
    ["a timeout", "refused robots-unreachable", failure("timeout")],
    ["TLS", "refused robots-unreachable", failure("tls")],
    ["no connection", "failed unavailable", failure("connect")],
  ])("%s → %s", async (_, expected, outcome) => {
    const world = new GateWorld({ [robots]: outcome });
    await world.serveToTheEnd([{ url }]);
    expect(world.outcomes).toEqual([expected]);
  });

  const group = "User-agent: *\nDisallow: /a\n";
  const comment = Buffer.alloc(40 * 1024 * 1024, "# of no use\n");
  it.each<[title: string, headers: string, body: Buffer]>([
    [
      "gzip, larger than memory allows",
      "Content-Encoding: gzip\r\n",
      gzipSync(Buffer.concat([Buffer.from(group), comment])),
    ],
    ["plain, larger than memory allows", "", Buffer.concat([Buffer.from(group), comment])],
    [
      "lines that end in a carriage return",
      "",
      Buffer.concat([Buffer.from(group), comment]).map((byte) => (byte === 10 ? 13 : byte)) as Buffer,
    ],
  ])("%s → its first 500 KiB count", async (_title, headers, body) => {
    const server = await serveRaw(
      saying(`HTTP/1.1 200 OK\r\n${headers}Content-Length: ${body.length}\r\n\r\n`, body),
    );
    const addresses = { ...defaultAddressPolicy, allowedPrivateHosts: new Set([server.hostKey]) };
    const client = createHttpClient({ policy: addresses });
    try {
      const world = new GateWorld({}, { defaultDelayMs: 0 });
      const { exchange } = world.ports;
      world.ports.exchange = (request) =>
        request.url.endsWith("/robots.txt") ? client.exchange(request) : exchange(request);
      await world.serve([{ url: `${server.origin}/a` }, { url: `${server.origin}/b` }], addresses);
      expect(world.outcomes).toEqual(["refused robots", 200]);
    } finally {
      await client.close();
      await server.close();
    }
  });

  it("unreachable → all attempts, with back-off; obeyRobots false → requested", async () => {
    const world = new GateWorld({ [robots]: answer(503, { "retry-after": "60" }) });
    await world.serveToTheEnd([{ url }, { url: `${host}/b`, obeyRobots: false }]);
    expect(world.timeline).toEqual([
      ["/robots.txt", 0],
      ["/robots.txt", storedDelayMs(60_000)],
      ["/robots.txt", storedDelayMs(60_000)],
      ["/b", storedDelayMs(60_000)],
    ]);
    expect(world.responses[0]?.outcome).toMatchObject({ detail: `${robots} answered 503` });
  });

  it("unreachable later → its last rules apply for 30 days", async () => {
    const world = new GateWorld({ [robots]: [forbidden, answer(500)] }, { backoffBaseMs: 100 });
    const ids = ["first", "second", "third"];
    for (const id of ids) {
      await world.serveToTheEnd([
        { id, url },
        { id: `${id}-b`, url: `${host}/b` },
      ]);
      world.nowMs += id === "first" ? dayMs : 30 * dayMs;
    }
    expect(world.outcomes).toEqual([
      "refused robots",
      200,
      "refused robots",
      200,
      "refused robots-unreachable",
      "refused robots-unreachable",
    ]);
  });

  const moved = (location: string) => answer(301, { location });

  it("moved to another host → requested there under that host's lease and delay", async () => {
    const there = "https://www.journal.example/robots.txt";
    const world = new GateWorld({ [robots]: moved(there), [there]: forbidden });
    const { exchange } = world.ports;
    const leased: (string | undefined)[] = [];
    world.ports.exchange = async (request) => {
      leased.push(world.hosts.get(new URL(request.url).host)?.lease?.holder);
      return exchange(request);
    };
    await world.serve([{ url, userAgent: "Library/1" }]);
    expect(world.sent.map((one) => one.url)).toEqual([robots, there]);
    expect(world.sent.map(({ headers }) => headers["user-agent"])).toEqual(["Library/1", "Library/1"]);
    expect(leased).toEqual(["this", "this"]);
    expect(world.outcomes).toEqual(["refused robots"]);
    const other = world.hosts.get("www.journal.example");
    expect(other).toMatchObject({ readyAtMs: world.nowMs + storedDelayMs(1000) });
    expect(other).not.toHaveProperty("lease");
  });

  it("moved to a host with a delay of its own → its own delay applies, not the first host's", async () => {
    const there = "https://www.journal.example/robots.txt";
    const delays = async () => ({
      defaultDelayMs: 1000,
      maxDelayMs: 5000,
      hostDelays: { "journal.example": { defaultMs: 100 }, "www.journal.example": { defaultMs: 7000 } },
    });
    const world = new GateWorld({ [robots]: moved(there), [there]: forbidden }, {}, { delays });
    await world.serve([{ url }]);
    expect(world.hosts.get("www.journal.example")?.readyAtMs).toBe(world.nowMs + storedDelayMs(7000));
    expect(world.hosts.get("journal.example")?.readyAtMs).toBeLessThanOrEqual(
      world.nowMs + storedDelayMs(100),
    );
  });

  it("moved to a host that is not ready → returned to the queue, then continued there", async () => {
    const there = "https://www.journal.example/robots.txt";
    const world = new GateWorld({ [robots]: moved(there), [there]: forbidden });
    const readyAtMs = world.nowMs + 60_000;
    world.hosts.set("www.journal.example", { ...newHost("www.journal.example"), readyAtMs });
    await world.serveToTheEnd([{ url }]);
    expect(world.sent.map(({ url: asked, atMs }) => [asked, atMs])).toEqual([
      [robots, 0],
      [there, 60_000],
    ]);
  });

  it.each([
    [5, "refused robots"],
    [6, 200],
  ])("moved %i times → %s", async (times, expected) => {
    const chain = Array.from({ length: times + 1 }, (_, hop) =>
      hop === 0 ? robots : `${host}/robots-${hop}`,
    );
    const answers = chain.map((from, hop) => [from, hop === times ? forbidden : moved(chain[hop + 1] ?? "")]);
    const world = new GateWorld(Object.fromEntries(answers));
    await world.serveToTheEnd([{ url }]);
    expect(world.outcomes).toEqual([expected]);
    const gaps = world.timeline.slice(1).map(([, gapMs]) => gapMs);
    expect(Math.min(...gaps)).toBe(storedDelayMs(1000));
  });
});
