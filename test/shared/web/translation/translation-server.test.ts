import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../../shared/core/clock.ts";
import { defaultPolicy } from "../../../../shared/web/address/admit-url.ts";
import { outboundRequest } from "../../../../shared/web/gate/request.ts";
import {
  createTranslationServer,
  mostCallsAtOnce,
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

  it("choices → the whole object posted back", async () => {
    const { host, server } = await serve(({ contentType }) =>
      contentType === "text/plain" ? offered : { body: [] },
    );
    expect(await server.translate(call)).toMatchObject({ status: 200, translated: "choices" });
    expect(host.requests.map(({ contentType, body }) => [contentType, body])).toEqual([
      ["text/plain", call.url],
      ["application/json", JSON.stringify(offered.body)],
    ]);
  });

  it("choices that are to be told → the answer", async () => {
    const { host, server } = await serve(() => offered);
    expect(await server.translate({ ...call, tellsChoices: true })).toMatchObject({
      status: 300,
      translated: "page",
    });
    expect(host.requests).toHaveLength(1);
  });

  it("a search, and its choices → the other endpoint", async () => {
    const { host, server } = await serve(() => ({ body: [] }));
    await server.translate({ ...call, search: "1111-1119", tellsChoices: true });
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

  async function translatorOf(addresses: string[]) {
    const asked: string[] = [];
    const server: TranslationServer = {
      maxMs: 1000,
      translate: async ({ url }) => {
        asked.push(url);
        return {
          type: "answered",
          status: 200,
          headers: {},
          body: new Uint8Array(),
          translated: "page",
          elapsedMs: 1,
        };
      },
      close: async () => {},
    };
    const translator = new Translator({
      server,
      places: { take: async () => undefined },
      known: { recall: async () => undefined, remember: async () => {} },
      body: async () => new Uint8Array(),
      addresses: defaultPolicy,
      userAgent: "Test/1",
      clock: systemClock,
      resolve: async () => addresses.map((address) => ({ address, family: 4 })),
    });
    return { translator, asked };
  }

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
