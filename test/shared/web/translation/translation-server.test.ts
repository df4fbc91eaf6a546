import { afterEach, describe, expect, it } from "vitest";
import { createTranslationServer } from "../../../../shared/web/translation/translation-server.ts";
import { maxConcurrentCalls } from "../../../../shared/web/translation/translation-slots.ts";
import { MockHost, type MockRequest, type MockResponse } from "../../harvest/mock-hosts.ts";

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

async function serve(answer: (request: MockRequest) => MockResponse, timeoutMs = 60_000, path = "") {
  const host = await MockHost.start(answer);
  const server = createTranslationServer({ url: new URL(host.origin + path), timeoutMs });
  open.push({ stop: () => server.close() }, host);
  return { host, server };
}

const call = { url: "https://j.example/1", userAgent: "Test/1" };
const offered = { status: 300, body: { session: "S", items: { a: "A" } } };

describe("a call", () => {
  it("a page → its address, as text, in the name of its group", async () => {
    const { host, server } = await serve(() => ({ body: [] }), 60_000, "/translate/");
    expect(await server.translate(call)).toMatchObject({
      type: "answered",
      status: 200,
      transport: { translated: "page" },
    });
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

  it("choices offered → the response; choices posted back → as JSON", async () => {
    const { host, server } = await serve(({ contentType }) =>
      contentType === "text/plain" ? offered : { body: [] },
    );
    expect(await server.translate(call)).toMatchObject({ status: 300, transport: { translated: "page" } });
    const choices = new TextEncoder().encode(JSON.stringify(offered.body));
    expect(await server.translate({ ...call, choices })).toMatchObject({
      status: 200,
      transport: { translated: "choices" },
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

  it.each([429, 502, 503, 504])("%i → the server is unavailable", async (status) => {
    const { server } = await serve(() => ({ status }));
    expect(await server.translate(call)).toMatchObject({ type: "failed", reason: "transport-unavailable" });
  });

  it.each([
    [429, "20"],
    [503, "20"],
    [502, undefined],
  ])("%i with Retry-After → reported: %s", async (status, retryAfter) => {
    const { server } = await serve(() => ({ status, headers: { "retry-after": "20" } }));
    const outcome = await server.translate(call);
    expect("retryAfter" in outcome ? outcome.retryAfter : undefined).toBe(retryAfter);
  });

  it.each([400, 500, 501])("%i → an answer about the page", async (status) => {
    const { server } = await serve(() => ({ status }));
    expect(await server.translate(call)).toMatchObject({ type: "answered", status });
  });

  it("more calls than slots → the others wait", async () => {
    const { host, server } = await serve(() => ({ body: [] }));
    await Promise.all(Array.from({ length: 40 }, () => server.translate(call)));
    expect(host.requests).toHaveLength(40);
    expect(host.maxConcurrent).toBeLessThanOrEqual(maxConcurrentCalls);
    expect(host.maxConcurrent).toBeGreaterThan(1);
  });
});
