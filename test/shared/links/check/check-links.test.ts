import { describe, expect, it } from "vitest";
import { answer, check, exchangeMs, failure, ok } from "./checked-links.ts";

describe("checkLinks", () => {
  it("one link → requested once, with our User-Agent", async () => {
    const { requested, results } = await check(["https://a.example/x"], ok);
    expect(requested.map(({ url }) => url)).toEqual(["https://a.example/x"]);
    expect(requested[0]?.request.headers?.["user-agent"]).toBe("Ingather/test");
    expect([...results.values()]).toEqual([
      {
        url: "https://a.example/x",
        verdict: "alive",
        finding: "alive",
        reason: "answered 200",
        hops: [{ url: "https://a.example/x", status: 200 }],
        elapsedMs: exchangeMs,
      },
    ]);
  });

  it("spellings of one URL → requested once, each reported", async () => {
    const urls = ["https://a.example/x", "https://A.example:443/x#part", "https://user@a.example/x"];
    const { requested, results } = await check([...urls, ...urls], ok);
    expect(requested).toHaveLength(1);
    expect([...results.keys()]).toEqual(urls);
  });

  it.each(["javascript:alert(1)", "ftp://a.example/", "http://10.0.0.1/", "http://a.example:22/", "x"])(
    "%s → inconclusive, never requested",
    async (url) => {
      const { requested, results } = await check([url], ok);
      expect(requested).toEqual([]);
      expect(results.get(url)).toMatchObject({ verdict: "inconclusive", hops: [], elapsedMs: 0 });
    },
  );

  it("a delay → from the end of one request to a host to the start of the next", async () => {
    const { requested } = await check(
      ["https://a.example/1", "https://a.example/2", "https://b.example/1"],
      ok,
      {
        delayMs: 3000,
      },
    );
    expect(requested.map(({ url, atMs }) => [url, atMs])).toEqual([
      ["https://a.example/1", 0],
      ["https://b.example/1", 0],
      // One more, as the clock has whole milliseconds.
      ["https://a.example/2", exchangeMs + 3001],
    ]);
  });

  it("http and https of one host → one queue", async () => {
    const { requested } = await check(["https://a.example/1", "http://a.example./2"], ok, { delayMs: 500 });
    expect(requested.map(({ atMs }) => atMs)).toEqual([0, exchangeMs + 501]);
  });

  it("a redirect → each hop in its host's queue, with the cookies of the chain", async () => {
    const { requested, results } = await check(
      ["https://a.example/1", "https://b.example/other"],
      ({ url }) =>
        url === "https://a.example/1"
          ? answer(302, { location: "https://b.example/2" })
          : url === "https://b.example/2"
            ? answer(301, { location: "/3", "set-cookie": "seen=1" })
            : answer(200),
      { delayMs: 100 },
    );
    expect(requested.map(({ url, atMs }) => [url, atMs])).toEqual([
      ["https://a.example/1", 0],
      ["https://b.example/other", 0],
      ["https://b.example/2", 111],
      ["https://b.example/3", 222],
    ]);
    expect(requested[3]?.request.headers?.cookie).toBe("seen=1");
    expect(results.get("https://a.example/1")).toMatchObject({
      verdict: "alive",
      hops: [
        { url: "https://a.example/1", status: 302 },
        { url: "https://b.example/2", status: 301 },
        { url: "https://b.example/3", status: 200 },
      ],
      elapsedMs: 3 * exchangeMs,
    });
  });

  it.each([
    ["into private space", "http://169.254.169.254/", "address"],
    ["to itself", "https://a.example/1", "redirect-loop"],
    ["to no URL", "http://[", "bad-redirect"],
  ])("a redirect %s → inconclusive, with the hop so far", async (_title, location, reason) => {
    const { results } = await check(["https://a.example/1"], () => answer(301, { location }));
    expect(results.get("https://a.example/1")).toMatchObject({
      verdict: "inconclusive",
      reason: expect.stringContaining(`not followed (${reason})`),
      hops: [{ url: "https://a.example/1", status: 301 }],
    });
  });

  it.each([
    // One more than wanted, as the clock has whole milliseconds.
    ["503 first", answer(503), 2011],
    ["503 with Retry-After", answer(503, { "retry-after": "7" }), 7011],
    ["429 with Retry-After", answer(429, { "retry-after": "5" }), 5011],
    ["reset first", failure("reset"), 2011],
    ["timeout first", failure("timeout"), 2011],
  ])("%s, then 200 → alive after the back-off", async (_title, first, secondAtMs) => {
    const { requested, results } = await check(["https://a.example/1"], (_request, ask) =>
      ask === 1 ? first : answer(200),
    );
    expect(requested.map(({ atMs }) => atMs)).toEqual([0, secondAtMs]);
    expect(results.get("https://a.example/1")).toMatchObject({ verdict: "alive", elapsedMs: 2 * exchangeMs });
  });

  it("429 on every attempt → inconclusive, and the host's next link waits for Retry-After", async () => {
    const { requested, results } = await check(["https://a.example/1", "https://a.example/2"], ({ url }) =>
      url.endsWith("1") ? answer(429, { "retry-after": "30" }) : answer(200),
    );
    expect(requested.map(({ atMs }) => atMs)).toEqual([0, 30_011, 60_022]);
    expect(results.get("https://a.example/1")?.reason).toBe("answered 429");
  });

  it("503 on every link → the back-off grows from link to link; a 200 resets it", async () => {
    const urls = [1, 2, 3, 4].map((number) => `https://a.example/${number}`);
    const { requested } = await check(urls, ({ url }) => answer(/[12]$/.test(url) ? 503 : 200));
    const gaps = requested
      .slice(1)
      .map(({ atMs }, index) => atMs - (requested[index]?.atMs ?? 0) - exchangeMs);
    expect(gaps).toEqual([2001, 4001, 8001, 16_001, 0]);
  });

  it.each([
    { status: 500, delayMs: 0, afterMs: 100 },
    { status: 500, delayMs: 500, afterMs: 501 },
    { status: 408, delayMs: 0, afterMs: 100 },
  ])(
    "$status on the last link, delay $delayMs → requested again after $afterMs ms",
    async ({ status, delayMs, afterMs }) => {
      const { requested } = await check(["https://a.example/1"], () => answer(status), { delayMs });
      expect(requested.map(({ atMs }) => atMs)).toEqual([0, exchangeMs + afterMs]);
    },
  );

  it("500 on some links → requested again after the host's other links, which do not wait", async () => {
    const urls = Array.from({ length: 50 }, (_, index) => `https://a.example/${index + 1}`);
    const { requested, results } = await check(urls, ({ url }, ask) =>
      answer(/[05]$/.test(url) && !(url.endsWith("/5") && ask > 1) ? 500 : 200),
    );
    const first = urls.map((url, index) => ({ url, atMs: index * exchangeMs }));
    expect(requested.slice(0, 50).map(({ url, atMs }) => ({ url, atMs }))).toEqual(first);
    const failed = urls.filter((url) => /[05]$/.test(url));
    expect(requested.slice(50).map(({ url }) => url)).toEqual(failed);
    expect(requested.slice(50).map(({ atMs }) => atMs)).toEqual(
      // The last has failed less than 100 ms before.
      failed.map((_, index) => Math.max(50 + index, 5 * (index + 1) + 10) * exchangeMs),
    );
    expect(results.get("https://a.example/5")?.verdict).toBe("alive");
    expect(results.get("https://a.example/10")).toMatchObject({
      verdict: "inconclusive",
      reason: "answered 500",
    });
    expect(results.size).toBe(50);
  });

  it("twelve links on a host that never answers → requested twice, all ended within a minute", async () => {
    const urls = Array.from({ length: 12 }, (_, index) => `https://a.example/${index + 1}`);
    const { requested, results } = await check(urls, () => failure("timeout"));
    expect(requested.map(({ url }) => url)).toEqual([urls[0], urls[0]]);
    expect(results.get("https://a.example/1")?.reason).toBe("no answer (timeout): why");
    expect(results.get("https://a.example/12")).toMatchObject({
      verdict: "inconclusive",
      notCounted: "unavailable",
      reason: expect.stringMatching(
        /^not requested \(unavailable\): a.example is unavailable: it has never answered/,
      ),
    });
    expect(results.size).toBe(12);
  });

  it("a host that responds, and has two links that time out → its other links are requested", async () => {
    const urls = Array.from({ length: 6 }, (_, index) => `https://a.example/${index + 1}`);
    const { results } = await check(urls, ({ url }) =>
      /[23]$/.test(url) ? failure("timeout") : answer(200),
    );
    expect([...results.values()].filter(({ verdict }) => verdict === "alive")).toHaveLength(4);
  });

  it("5xx on every link → after eight in a row the rest are inconclusive without a request", async () => {
    const urls = Array.from({ length: 100 }, (_, index) => `https://a.example/${index + 1}`);
    const { requested, results } = await check(urls, () => answer(500), { rule: { statusCodes: "50." } });
    expect(requested).toHaveLength(8);
    expect(Object.entries(Object.groupBy([...results.values()], ({ verdict }) => verdict))).toMatchObject([
      ["broken", { length: 8 }],
      ["inconclusive", { length: 92 }],
    ]);
    expect(results.get("https://a.example/100")).toMatchObject({
      reason: expect.stringMatching(
        /^not requested \(unavailable\): a.example is unavailable: 8 requests in a row .* status 500$/,
      ),
      hops: [],
    });
  });

  it("no connection to one port → links to the other port are requested", async () => {
    const urls = ["https://a.example/1", "https://a.example/2", "http://a.example/3"];
    const { requested, results } = await check(urls, ({ url }) =>
      url.startsWith("https:") ? failure("connect") : answer(200),
    );
    expect(requested.map(({ url }) => url)).toEqual([urls[0], urls[0], urls[2]]);
    expect(results.get("https://a.example/2")?.reason).toBe(
      "not requested (unavailable): https://a.example is unavailable: it could not be reached (connect): why",
    );
    expect(results.get("http://a.example/3")?.verdict).toBe("alive");
  });

  it.each(["dns", "connect"] as const)(
    "%s failure → the host's other links are not requested",
    async (reason) => {
      const urls = [
        "https://a.example/1",
        "https://a.example/2",
        "https://a.example/3",
        "https://b.example/1",
      ];
      const { requested, results } = await check(urls, ({ url }) =>
        url.includes("//a.") ? failure(reason) : answer(200),
      );
      expect(requested.filter(({ url }) => url.includes("//a."))).toHaveLength(2);
      const unavailable =
        /^not requested \(unavailable\): .*a\.example is unavailable: it could not be reached \(.*\): why$/;
      expect([...results.values()].map(({ url, reason: why }) => [url, why])).toEqual([
        ["https://b.example/1", "answered 200"],
        ["https://a.example/1", `no answer (${reason}): why`],
        ["https://a.example/2", expect.stringMatching(unavailable)],
        ["https://a.example/3", expect.stringMatching(unavailable)],
      ]);
    },
  );

  it("aborted → reports finished links, requests no more", async () => {
    const stop = new AbortController();
    const { requested, results } = await check(
      ["https://a.example/1", "https://a.example/2", "https://a.example/3"],
      ({ url }) => {
        if (url.endsWith("2")) stop.abort();
        return answer(200);
      },
      { signal: stop.signal },
    );
    expect(requested).toHaveLength(2);
    expect([...results.keys()]).toEqual(["https://a.example/1"]);
  });
});
