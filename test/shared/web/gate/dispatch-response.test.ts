import { describe, expect, it } from "vitest";
import { defaultAddressPolicy } from "../../../../shared/web/address/admit-url.ts";
import type { ExchangeOutcome } from "../../../../shared/web/exchange/exchange.ts";
import { dispatchResponse } from "../../../../shared/web/gate/dispatch-response.ts";
import type { Transport } from "../../../../shared/web/gate/transport.ts";
import { type OutboundRequest, outboundRequest } from "../../../../shared/web/request/request.ts";
import { answer, failure, GateWorld } from "../gate-world.ts";

const behind = { url: "https://b.example/", status: 301 };
const request = outboundRequest.parse({
  id: "r",
  kind: "page",
  url: "https://a.example/1",
  hops: [behind],
  cookies: ["sid=1; Domain=a.example; Path=/; Hop=0"],
});
const here = { url: request.url, status: 200 };

async function handedOn(
  outcome: ExchangeOutcome,
  change: Partial<typeof request> = {},
  more: { transport?: Transport } = {},
) {
  const world = new GateWorld({});
  const earlier = { bodyKey: "earlier", contentType: "text/html", fetchedAt: "2026-11-19T12:00:00Z" };
  const { ports } = world;
  const given = { ...more, attempts: 3, earlier, ports, addresses: defaultAddressPolicy };
  await dispatchResponse({ ...request, ...change }, outcome, given);
  return {
    responses: world.responses,
    requested: world.enqueued,
    remembered: [...world.validators.values()],
  };
}

const capture = {
  startedAt: "2026-01-01T00:00:00.000Z",
  requestHead: "GET / HTTP/1.1\r\n\r\n",
  headBytes: 5,
  sha1: "00",
  payloadBytes: 7,
  payloadSha1: "01",
};

describe("dispatchResponse", () => {
  it.each<[string, ExchangeOutcome, object]>([
    [
      "an answer → with its body's key and all hops",
      answer(200, { "content-type": "text/html", "x-a": "b", "set-cookie": "x-secret" }),
      {
        type: "answered",
        bodyKey: "bodies/r-1",
        hops: [behind, here],
        headers: { "content-type": "text/html", "x-a": "b" },
      },
    ],
    ["no body → no key", answer(200, {}, ""), { type: "answered", status: 200, hops: [behind, here] }],
    [
      "304 → the earlier response",
      answer(304, {}, ""),
      { status: 200, notModified: true, bodyKey: "earlier", headers: { "content-type": "text/html" } },
    ],
    [
      "a failure → with its attempts",
      failure("reset"),
      { type: "failed", reason: "reset", attempts: 3, hops: [behind] },
    ],
    [
      "a refusal",
      { type: "refused", reason: "address", detail: "why" },
      { type: "refused", reason: "address", hops: [behind] },
    ],
    [
      "an invalid redirect → its status is among the hops",
      answer(302),
      { type: "refused", reason: "bad-redirect", hops: [behind, { ...here, status: 302 }] },
    ],
    [
      "a transport's message → passed to the reader",
      {
        ...answer(200),
        transport: { translated: "choices", skippedChoices: [{ entry: "e", reason: "r" }] },
      } as ExchangeOutcome,
      { transport: { translated: "choices", skippedChoices: [{ entry: "e", reason: "r" }] } },
    ],
  ])("%s", async (_title, outcome, expected) => {
    const { responses, requested } = await handedOn(outcome);
    expect(requested).toEqual([]);
    expect(responses).toMatchObject([{ request: { id: "r", hops: [], cookies: [] }, outcome: expected }]);
    expect(JSON.stringify(responses)).not.toContain("x-secret");
  });

  it("a redirect → the next request of the chain, no response", async () => {
    const { responses, requested } = await handedOn(answer(302, { location: "https://c.example/2" }));
    expect(responses).toEqual([]);
    expect(requested).toMatchObject([
      {
        id: "r",
        url: "https://c.example/2",
        hops: [behind, { ...here, status: 302 }],
        cookies: request.cookies,
      },
    ]);
  });

  it("a redirect from a transport → an answer, not followed", async () => {
    const moved = answer(302, { location: "https://c.example/" });
    const transport = { onStored: async () => {} } as unknown as Transport;
    const { responses, requested } = await handedOn(moved, {}, { transport });
    expect([responses.length, requested.length]).toEqual([1, 0]);
  });

  it("more headers than 8 KiB → those about the content first, then those that fit", async () => {
    const headers = {
      "x-first": "1",
      "x-large": "l".repeat(8000),
      "x-last": "2",
      "content-type": "text/html",
      link: "k".repeat(300),
    };
    const { responses } = await handedOn(answer(200, headers));
    expect(responses[0]?.outcome).toMatchObject({ type: "answered" });
    const kept = responses[0]?.outcome.type === "answered" ? responses[0].outcome.headers : {};
    expect(Object.keys(kept).sort()).toEqual(["content-type", "link", "x-first", "x-last"]);
  });

  const post: Partial<OutboundRequest> = {
    method: "POST",
    body: "ASK {}",
    headers: { accept: "application/json", "content-type": "application/sparql-query" },
  };
  it.each([
    [307, post],
    [308, post],
    [302, { method: "GET", headers: { accept: "application/json" } }],
    [303, { method: "GET", headers: { accept: "application/json" } }],
  ])("a POST redirected by %d → %j", async (status, expected) => {
    const { requested } = await handedOn(answer(status, { location: "https://c.example/2" }), post);
    expect(requested).toMatchObject([expected]);
    expect("body" in (requested[0] ?? {})).toBe("body" in expected);
  });

  it("a stored body → its key, size and digest; nothing is stored again", async () => {
    const stored = { key: "bodies/stream", sizeBytes: 12, sha256: "00" };
    const { responses } = await handedOn({ ...answer(200, {}, ""), stored } as ExchangeOutcome);
    expect(responses).toMatchObject([
      { outcome: { bodyKey: "bodies/stream", stored: { sizeBytes: 12, sha256: "00" } } },
    ]);
  });

  it("a captured redirect → an answer for the reader, and no further request", async () => {
    const stored = { key: "bodies/r-1", sizeBytes: 12, sha256: "00", capture };
    const outcome = { ...answer(301, { location: "https://c.example/2" }, ""), stored } as ExchangeOutcome;
    const { requested, responses } = await handedOn(outcome, {
      bodyPolicy: { type: "capture", maxBytes: 100 },
    });
    expect(requested).toEqual([]);
    expect(responses).toMatchObject([
      { outcome: { status: 301, bodyKey: "bodies/r-1", stored: { capture } } },
    ]);
  });

  it("validators → remembered for a request without cookies alone", async () => {
    const versioned = answer(200, { etag: '"1"' });
    expect((await handedOn(versioned, { cookies: [], hops: [] })).remembered).toMatchObject([
      { etag: '"1"' },
    ]);
    expect((await handedOn(versioned)).remembered).toEqual([]);
  });
});
