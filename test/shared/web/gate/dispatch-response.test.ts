import { describe, expect, it } from "vitest";
import { defaultAddressPolicy } from "../../../../shared/web/address/admit-url.ts";
import type { ExchangeOutcome } from "../../../../shared/web/exchange/exchange.ts";
import { dispatchResponse } from "../../../../shared/web/gate/dispatch-response.ts";
import { outboundRequest } from "../../../../shared/web/gate/request.ts";
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

async function handedOn(outcome: ExchangeOutcome, change: Partial<typeof request> = {}) {
  const world = new GateWorld({});
  const earlier = { bodyKey: "earlier", contentType: "text/html", fetchedAt: "2026-11-19T12:00:00Z" };
  const { ports } = world;
  const given = { attempts: 3, earlier, ports, addresses: defaultAddressPolicy };
  await dispatchResponse({ ...request, ...change }, outcome, given);
  return {
    responses: world.responses,
    requested: world.enqueued,
    remembered: [...world.validators.values()],
  };
}

describe("handOn", () => {
  it.each<[string, ExchangeOutcome, object]>([
    [
      "an answer → with its body's key and all hops",
      answer(200, { "content-type": "text/html", "x-secret": "s" }),
      {
        type: "answered",
        bodyKey: "bodies/r-1",
        hops: [behind, here],
        headers: { "content-type": "text/html" },
      },
    ],
    ["no body → no key", answer(200, {}, ""), { type: "answered", status: 200, hops: [behind, here] }],
    [
      "304 → the earlier answer",
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
      "a redirect that leads nowhere → with its own status among the hops",
      answer(302),
      { type: "refused", reason: "bad-redirect", hops: [behind, { ...here, status: 302 }] },
    ],
    [
      "choices of which some were left out → told",
      {
        ...answer(200),
        translated: "choices",
        skippedChoices: [{ entry: "e", reason: "r" }],
      } as ExchangeOutcome,
      { translated: "choices", skippedChoices: [{ entry: "e", reason: "r" }] },
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

  it("a redirect of the translation server's → its answer, not followed", async () => {
    const moved = {
      ...answer(302, { location: "https://c.example/" }),
      translated: "page",
    } as ExchangeOutcome;
    const { responses, requested } = await handedOn(moved);
    expect([responses.length, requested.length]).toEqual([1, 0]);
  });

  it("validators → remembered for a request without cookies alone", async () => {
    const versioned = answer(200, { etag: '"1"' });
    expect((await handedOn(versioned, { cookies: [], hops: [] })).remembered).toMatchObject([
      { etag: '"1"' },
    ]);
    expect((await handedOn(versioned)).remembered).toEqual([]);
  });
});
