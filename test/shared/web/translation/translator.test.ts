import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../shared/core/clock.ts";
import { defaultAddressPolicy } from "../../../../shared/web/address/admit-url.ts";
import { outboundRequest } from "../../../../shared/web/request/request.ts";
import type { TranslationServer } from "../../../../shared/web/translation/translation-server.ts";
import { Translator } from "../../../../shared/web/translation/translator.ts";

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
          transport: { translated: of },
          elapsedMs: 1,
        };
      },
      close: async () => {},
    };
    const translator = new Translator({
      server,
      slots: { claim: async () => undefined },
      cache: { recall: async () => undefined, recallAll: async () => new Map(), remember: async () => {} },
      body: async () => new TextEncoder().encode(JSON.stringify(stored)),
      addresses: defaultAddressPolicy,
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
    ["chosen by the reader", { choicesKey: "k", returnsChoices: true }, page],
  ])("choices %s → admissible ones are posted, the others skipped with a reason", async (...row) => {
    const [, translation, answer] = row;
    const { translator, posted, lookedUp } = await translatorOf(resolve, answer, offer);
    const outcome = await translator.exchange(
      outboundRequest.parse({
        id: "r",
        kind: "article",
        url: "https://j.example/toc",
        transport: translation,
      }),
    );
    const wanted = named.filter(([, reason]) => reason === undefined).map(([name]) => [name, "T"]);
    expect(posted).toEqual([{ session: "S", items: Object.fromEntries(wanted) }]);
    const refused = named.filter(([, reason]) => reason !== undefined);
    expect(outcome).toMatchObject({
      type: "answered",
      transport: {
        translated: "choices",
        skippedChoices: refused.map(([name, reason]) => ({
          entry: name.slice(0, 200),
          reason: expect.stringContaining(`not requested (${reason}: `),
        })),
      },
    });
    expect(lookedUp.filter((host) => host === "inside.example")).toHaveLength(1);
  });

  it("no admissible choice → refused, nothing is posted", async () => {
    const body = new TextEncoder().encode(JSON.stringify({ items: { "http://127.0.0.1/": "T" } }));
    const { translator, posted } = await translatorOf(resolve, { status: 300, body });
    expect(await translator.exchange(request("https://j.example/toc"))).toMatchObject({
      type: "refused",
      detail: expect.stringContaining("http://127.0.0.1/"),
    });
    expect(posted).toEqual([]);
  });

  it("more choices than the limit → the first are posted, the number of the others is reported", async () => {
    const items = Object.fromEntries(
      Array.from({ length: 405 }, (_, index) => [`https://j.example/${index}`, "T"]),
    );
    const body = new TextEncoder().encode(JSON.stringify({ items }));
    const { translator, posted } = await translatorOf(resolve, { status: 300, body });
    expect(await translator.exchange(request("https://j.example/toc"))).toMatchObject({
      transport: { skippedChoices: [{ entry: "5 more choices", reason: "a list has at most 400" }] },
    });
    expect(Object.keys((posted as { items: object }[])[0]?.items ?? {})).toHaveLength(400);
  });

  it.each([
    ["that are to be told", { returnsChoices: true }, list],
    ["that are none", undefined, { status: 300, body: new TextEncoder().encode("[]") }],
  ])("choices %s → the server's response, nothing is posted", async (_title, translation, answer) => {
    const { translator, posted } = await translatorOf(resolve, answer);
    const asked = outboundRequest.parse({
      id: "r",
      kind: "article",
      url: "https://j.example/toc",
      transport: translation,
    });
    expect(await translator.exchange(asked)).toMatchObject({
      status: 300,
      transport: { translated: "page" },
    });
    expect(posted).toEqual([]);
  });

  it.each<[string, string[], object]>([
    ["a public address → asked", ["203.0.113.9", "8.8.8.8"], { type: "answered" }],
    [
      "a private address only → refused, as for a direct request",
      ["10.0.0.1"],
      { type: "refused", reason: "address" },
    ],
    ["no address → failed", [], { type: "failed", reason: "dns" }],
  ])("a host with %s", async (_title, addresses, outcome) => {
    const { translator, asked } = await translatorOf(addresses);
    expect(await translator.exchange(request("https://j.example/1"))).toMatchObject(outcome);
    expect(asked).toHaveLength("reason" in outcome ? 0 : 1);
  });
});
