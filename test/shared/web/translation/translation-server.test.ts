import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../../shared/core/clock.ts";
import { defaultPolicy } from "../../../../shared/web/address/admit-url.ts";
import { outboundRequest } from "../../../../shared/web/gate/request.ts";
import { mostCallsAtOnce } from "../../../../shared/web/translation/translation-places.ts";
import {
  createTranslationServer,
  type TranslationServer,
} from "../../../../shared/web/translation/translation-server.ts";
import { Translator } from "../../../../shared/web/translation/translator.ts";
import { type MockAnswer, MockHost, type MockRequest } from "../../harvest/mock-hosts.ts";
import { GateWorld } from "../gate-world.ts";

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

async function serve(answer: (request: MockRequest) => MockAnswer, timeoutMs = 5000, path = "") {
  const host = await MockHost.start(answer);
  const server = createTranslationServer({ url: new URL(host.origin + path), timeoutMs });
  open.push({ stop: () => server.close() }, host);
  return { host, server };
}

const call = { url: "https://j.example/1", userAgent: "Test/1" };
const offered = { status: 300, body: { session: "S", items: { a: "A" } } };

describe("a call", () => {
  it("a page → its address, as text, in the name of its group", async () => {
    const { host, server } = await serve(() => ({ body: [] }), 5000, "/translate/");
    expect(await server.translate(call)).toMatchObject({ type: "answered", status: 200, translated: "page" });
    expect(host.requests).toEqual([
      {
        method: "POST",
        path: "/translate/web",
        body: call.url,
        contentType: "text/plain",
        userAgent: "Test/1",
      },
    ]);
  });

  it("choices offered → the answer; choices posted back → as JSON", async () => {
    const { host, server } = await serve(({ contentType }) =>
      contentType === "text/plain" ? offered : { body: [] },
    );
    expect(await server.translate(call)).toMatchObject({ status: 300, translated: "page" });
    const choices = new TextEncoder().encode(JSON.stringify(offered.body));
    expect(await server.translate({ ...call, choices })).toMatchObject({
      status: 200,
      translated: "choices",
    });
    expect(host.requests.map(({ contentType, body }) => [contentType, body])).toEqual([
      ["text/plain", call.url],
      ["application/json", JSON.stringify(offered.body)],
    ]);
  });

  it("a search, and its choices → the other endpoint", async () => {
    const { host, server } = await serve(() => ({ body: [] }));
    await server.translate({ ...call, search: "1111-1119" });
    await server.translate({ ...call, search: "1111-1119", choices: new TextEncoder().encode("{}") });
    expect(host.requests.map(({ path, body }) => [path, body])).toEqual([
      ["/searchmultiple", "1111-1119"],
      ["/searchmultiple", "{}"],
    ]);
  });

  it.each([429, 502, 503, 504])("%i → the server is not there", async (status) => {
    const { server } = await serve(() => ({ status }));
    expect(await server.translate(call)).toMatchObject({ type: "failed", reason: "translation-server" });
  });

  it.each([400, 500, 501])("%i → what the server says of the page", async (status) => {
    const { server } = await serve(() => ({ status }));
    expect(await server.translate(call)).toMatchObject({ type: "answered", status });
  });

  it("more than it takes at once → the others wait", async () => {
    const { host, server } = await serve(() => ({ body: [] }));
    await Promise.all(Array.from({ length: 40 }, () => server.translate(call)));
    expect(host.requests).toHaveLength(40);
    expect(host.mostAtOnce).toBeLessThanOrEqual(mostCallsAtOnce);
    expect(host.mostAtOnce).toBeGreaterThan(1);
  });
});

describe("the translator of the gate", () => {
  const request = (url: string) => outboundRequest.parse({ id: "r", kind: "article", url });

  const page = { status: 200, body: new Uint8Array() };

  async function translatorOf(
    addresses: string[] | ((host: string) => string[]),
    answer: typeof page = page,
    stored: unknown = {},
  ) {
    const asked: string[] = [];
    const posted: unknown[] = [];
    const lookedUp: string[] = [];
    const server: TranslationServer = {
      maxMs: 1000,
      translate: async ({ url, choices }) => {
        if (choices !== undefined) posted.push(JSON.parse(new TextDecoder().decode(choices)));
        else asked.push(url);
        const of = choices === undefined ? ("page" as const) : ("choices" as const);
        return {
          type: "answered",
          ...(of === "page" ? answer : page),
          headers: {},
          translated: of,
          elapsedMs: 1,
        };
      },
      close: async () => {},
    };
    const translator = new Translator({
      server,
      places: { take: async () => undefined },
      known: { recall: async () => undefined, remember: async () => {} },
      body: async () => new TextEncoder().encode(JSON.stringify(stored)),
      addresses: defaultPolicy,
      userAgent: "Test/1",
      clock: systemClock,
      resolve: async (host) => {
        lookedUp.push(host);
        const found = typeof addresses === "function" ? addresses(host) : addresses;
        return found.map((address) => ({ address, family: 4 }));
      },
    });
    return { translator, asked, posted, lookedUp };
  }

  /** Names of choices, and why each is not posted back; those without a reason are. */
  const named: [name: string, reason?: string][] = [
    ["https://j.example/1"],
    ["https://j.example/2"],
    ["10.1234/x.1"],
    ["doi:10.1234/x.2"],
    ["17"],
    ["/relative"],
    ["http://169.254.169.254/latest/meta-data/", "address"],
    ["http://2130706433/", "address"],
    ["http:\\\\[::1]/", "address"],
    ["//10.0.0.1/", "address"],
    ["https://j.example:6379/", "port"],
    ["file:///etc/passwd", "scheme"],
    ["http://[", "bad-url"],
    ["https://inside.example/a", "address"],
    ["https://inside.example/b", "address"],
    ["https://nowhere.example/", "dns"],
    [`https://inside.example/${"x".repeat(9000)}`, "bad-url"],
  ];
  const offer = { session: "S", items: Object.fromEntries(named.map(([name]) => [name, "T"])) };
  const resolve = (host: string) =>
    ({ "inside.example": ["10.0.0.1"], "nowhere.example": [] })[host] ?? ["8.8.8.8"];
  const list = { status: 300, body: new TextEncoder().encode(JSON.stringify(offer)) };

  it.each([
    ["offered for a page", undefined, list],
    ["chosen by the reader", { choicesKey: "k", tellsChoices: true }, page],
  ])("choices %s → posted back without those that may not be asked, each with its reason", async (...row) => {
    const [, translation, answer] = row;
    const { translator, posted, lookedUp } = await translatorOf(resolve, answer, offer);
    const outcome = await translator.translate(
      outboundRequest.parse({ id: "r", kind: "article", url: "https://j.example/toc", translation }),
    );
    const wanted = named.filter(([, reason]) => reason === undefined).map(([name]) => [name, "T"]);
    expect(posted).toEqual([{ session: "S", items: Object.fromEntries(wanted) }]);
    const refused = named.filter(([, reason]) => reason !== undefined);
    expect(outcome).toMatchObject({
      type: "answered",
      translated: "choices",
      leftOut: refused.map(([name, reason]) => ({
        entry: name.slice(0, 200),
        reason: expect.stringContaining(`not asked (${reason}: `),
      })),
    });
    expect(lookedUp.filter((host) => host === "inside.example")).toHaveLength(1);
  });

  it("no choice that may be asked → refused, nothing is posted", async () => {
    const body = new TextEncoder().encode(JSON.stringify({ items: { "http://127.0.0.1/": "T" } }));
    const { translator, posted } = await translatorOf(resolve, { status: 300, body });
    expect(await translator.translate(request("https://j.example/toc"))).toMatchObject({
      type: "refused",
      detail: expect.stringContaining("http://127.0.0.1/"),
    });
    expect(posted).toEqual([]);
  });

  it("more choices than the server bears → the first of them, and how many are left out", async () => {
    const items = Object.fromEntries(
      Array.from({ length: 405 }, (_, index) => [`https://j.example/${index}`, "T"]),
    );
    const body = new TextEncoder().encode(JSON.stringify({ items }));
    const { translator, posted } = await translatorOf(resolve, { status: 300, body });
    expect(await translator.translate(request("https://j.example/toc"))).toMatchObject({
      leftOut: [{ entry: "5 more choices", reason: "a list has at most 400" }],
    });
    expect(Object.keys((posted as { items: object }[])[0]?.items ?? {})).toHaveLength(400);
  });

  it.each([
    ["that are to be told", { tellsChoices: true }, list],
    ["that are none", undefined, { status: 300, body: new TextEncoder().encode("[]") }],
  ])("choices %s → the server's answer, nothing is posted", async (_title, translation, answer) => {
    const { translator, posted } = await translatorOf(resolve, answer);
    const asked = outboundRequest.parse({
      id: "r",
      kind: "article",
      url: "https://j.example/toc",
      translation,
    });
    expect(await translator.translate(asked)).toMatchObject({ status: 300, translated: "page" });
    expect(posted).toEqual([]);
  });

  it.each<[string, string[], object]>([
    ["a public address → asked", ["203.0.113.9", "8.8.8.8"], { type: "answered" }],
    [
      "a private address only → refused, as if it were asked from here",
      ["10.0.0.1"],
      { type: "refused", reason: "address" },
    ],
    ["no address → failed", [], { type: "failed", reason: "dns" }],
  ])("a host with %s", async (_title, addresses, outcome) => {
    const { translator, asked } = await translatorOf(addresses);
    expect(await translator.translate(request("https://j.example/1"))).toMatchObject(outcome);
    expect(asked).toHaveLength("reason" in outcome ? 0 : 1);
  });
});

describe("the gate", () => {
  const answered = {
    type: "answered",
    status: 200,
    headers: {},
    body: new Uint8Array([1]),
    elapsedMs: 1,
  } as const;

  function gateWith(change: Partial<Record<keyof Translator, unknown>>) {
    const taken: string[] = [];
    const translator = {
      maxMs: 200_000,
      recall: async () => undefined,
      takePlace: async () => {
        taken.push("taken");
        return { leave: async () => void taken.push("left") };
      },
      translate: async () => ({ ...answered, translated: "page" }),
      remember: async () => {},
      ...change,
    } as unknown as Translator;
    return { world: new GateWorld({}, {}, { translator }), taken };
  }

  const article = [{ url: "https://j.example/1" }];

  it("an article → the server's answer, in the host's turn; the place is left", async () => {
    const { world, taken } = gateWith({});
    expect(await world.serve(article)).toEqual([]);
    expect(world.asked.map(({ url }) => url)).toEqual(["https://j.example/robots.txt"]);
    expect(world.responses).toMatchObject([
      { outcome: { status: 200, url: "https://j.example/1", translated: "page" } },
    ]);
    expect(taken).toEqual(["taken", "left"]);
    expect(world.hosts.get("j.example")?.readyAtMs).toBeGreaterThan(world.nowMs);
  });

  it("a feed → the host", async () => {
    const { world, taken } = gateWith({});
    await world.serve([{ url: "https://j.example/feed", kind: "feed" }]);
    expect(world.asked.map(({ url }) => url)).toContain("https://j.example/feed");
    expect(taken).toEqual([]);
  });

  it("all places taken → handed back, without an attempt", async () => {
    const { world } = gateWith({ takePlace: async () => undefined });
    expect(await world.serve(article)).toEqual(["m1"]);
    expect(world.handedBack).toEqual([{ messageIds: ["m1"], waitMs: 2000 }]);
    expect(world.hosts.get("j.example")?.head).toBeUndefined();
  });

  it("all places taken again and again → longer and longer waits, within the receives of a message; a place ends them", async () => {
    let isTaken = true;
    const place = { leave: async () => {} };
    const { world } = gateWith({ takePlace: async () => (isTaken ? undefined : place) });
    for (let time = 0; time < 6; time++) await world.serve(article);
    expect(world.handedBack.map(({ waitMs }) => waitMs)).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);
    isTaken = false;
    expect(await world.serve(article)).toEqual([]);
    isTaken = true;
    await world.serve([{ id: "next", url: "https://j.example/2" }]);
    expect(world.handedBack.at(-1)?.waitMs).toBe(2000);
  });

  it("known as another page's choice → nothing is asked", async () => {
    const known = {
      type: "answered",
      status: 200,
      url: "https://j.example/1",
      hops: [],
      headers: {},
      bodyKey: "b",
      translated: "cached",
      elapsedMs: 0,
    };
    const { world, taken } = gateWith({ recall: async () => known });
    await world.serve(article);
    expect(world.responses).toMatchObject([{ outcome: { translated: "cached", bodyKey: "b" } }]);
    expect(taken).toEqual([]);
  });

  it("500 from the server → the answer, not a host to be patient with", async () => {
    const { world } = gateWith({ translate: async () => ({ ...answered, status: 500, translated: "page" }) });
    expect(await world.serve(article)).toEqual([]);
    expect(world.outcomes).toEqual([500]);
    expect(world.hosts.get("j.example")?.penaltyUntilMs).toBe(0);
  });

  it("a search without a server → refused", async () => {
    const world = new GateWorld({});
    await world.serve([{ ...article[0], translation: { search: "1111-1119" } } as { url: string }]);
    expect(world.outcomes).toEqual(["refused no-translation-server"]);
  });
});
