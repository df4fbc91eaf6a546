import { describe, expect, it } from "vitest";
import { answer, check, exchangeMs, failure, ok } from "./checked-links.ts";

describe("checkLinks", () => {
  it("one link → asked once, with our name", async () => {
    const { asked, results } = await check(["https://a.example/x"], ok);
    expect(asked.map(({ url }) => url)).toEqual(["https://a.example/x"]);
    expect(asked[0]?.request.headers?.["user-agent"]).toBe("Ingather/test");
    expect([...results.values()]).toEqual([
      {
        url: "https://a.example/x",
        verdict: "alive",
        reason: "answered 200",
        hops: [{ url: "https://a.example/x", status: 200 }],
        elapsedMs: exchangeMs,
      },
    ]);
  });

  it("spellings of one URL → asked once, each reported", async () => {
    const urls = ["https://a.example/x", "https://A.example:443/x#part", "https://user@a.example/x"];
    const { asked, results } = await check([...urls, ...urls], ok);
    expect(asked).toHaveLength(1);
    expect([...results.keys()]).toEqual(urls);
  });

  it.each(["javascript:alert(1)", "ftp://a.example/", "http://10.0.0.1/", "http://a.example:22/", "x"])(
    "%s → inconclusive, never asked",
    async (url) => {
      const { asked, results } = await check([url], ok);
      expect(asked).toEqual([]);
      expect(results.get(url)).toMatchObject({ verdict: "inconclusive", hops: [], elapsedMs: 0 });
    },
  );

  it("a delay → from the end of one request to a host to the start of the next", async () => {
    const { asked } = await check(["https://a.example/1", "https://a.example/2", "https://b.example/1"], ok, {
      delayMs: 3000,
    });
    expect(asked.map(({ url, atMs }) => [url, atMs])).toEqual([
      ["https://a.example/1", 0],
      ["https://b.example/1", 0],
      // One more, as the clock has whole milliseconds.
      ["https://a.example/2", exchangeMs + 3001],
    ]);
  });

  it("http and https of one host → one line", async () => {
    const { asked } = await check(["https://a.example/1", "http://a.example./2"], ok, { delayMs: 500 });
    expect(asked.map(({ atMs }) => atMs)).toEqual([0, exchangeMs + 501]);
  });

  it("a redirect → each hop in its host's line, with the cookies of the chain", async () => {
    const { asked, results } = await check(
      ["https://a.example/1", "https://b.example/other"],
      ({ url }) =>
        url === "https://a.example/1"
          ? answer(302, { location: "https://b.example/2" })
          : url === "https://b.example/2"
            ? answer(301, { location: "/3", "set-cookie": "seen=1" })
            : answer(200),
      { delayMs: 100 },
    );
    expect(asked.map(({ url, atMs }) => [url, atMs])).toEqual([
      ["https://a.example/1", 0],
      ["https://b.example/other", 0],
      ["https://b.example/2", 111],
      ["https://b.example/3", 222],
    ]);
    expect(asked[3]?.request.headers?.cookie).toBe("seen=1");
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
    // One more than asked for, as the clock has whole milliseconds.
    ["503 first", answer(503), 2011],
    ["503 with Retry-After", answer(503, { "retry-after": "7" }), 7011],
    ["429 with Retry-After", answer(429, { "retry-after": "5" }), 5011],
    ["reset first", failure("reset"), 2011],
    ["timeout first", failure("timeout"), 2011],
  ])("%s, then 200 → alive after the back-off", async (_title, first, secondAtMs) => {
    const { asked, results } = await check(["https://a.example/1"], (_request, ask) =>
      ask === 1 ? first : answer(200),
    );
    expect(asked.map(({ atMs }) => atMs)).toEqual([0, secondAtMs]);
    expect(results.get("https://a.example/1")).toMatchObject({ verdict: "alive", elapsedMs: 2 * exchangeMs });
  });

  it("429 to the last → inconclusive, and the host's next link waits as asked", async () => {
    const { asked, results } = await check(["https://a.example/1", "https://a.example/2"], ({ url }) =>
      url.endsWith("1") ? answer(429, { "retry-after": "30" }) : answer(200),
    );
    expect(asked.map(({ atMs }) => atMs)).toEqual([0, 30_011, 60_022]);
    expect(results.get("https://a.example/1")?.reason).toBe("answered 429");
  });

  it("5xx all the time → the back-off grows from link to link; a good answer ends it", async () => {
    const urls = [1, 2, 3, 4].map((number) => `https://a.example/${number}`);
    const { asked } = await check(urls, ({ url }) => answer(/[12]$/.test(url) ? 500 : 200));
    const gaps = asked.slice(1).map(({ atMs }, index) => atMs - (asked[index]?.atMs ?? 0) - exchangeMs);
    expect(gaps).toEqual([2001, 4001, 8001, 16_001, 0]);
  });

  it("5xx to every link → after eight in a row, tried less and less, the rest are inconclusive and not asked", async () => {
    const urls = Array.from({ length: 100 }, (_, index) => `https://a.example/${index + 1}`);
    const { asked, results } = await check(urls, () => answer(500), { rule: { statusCodes: "50." } });
    expect(asked).toHaveLength(10);
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

  it("no connection to one port → links to the other port are tried", async () => {
    const urls = ["https://a.example/1", "https://a.example/2", "http://a.example/3"];
    const { asked, results } = await check(urls, ({ url }) =>
      url.startsWith("https:") ? failure("connect") : answer(200),
    );
    expect(asked.map(({ url }) => url)).toEqual([urls[0], urls[0], urls[2]]);
    expect(results.get("https://a.example/2")?.reason).toBe(
      "not requested (unavailable): https://a.example is unavailable: it could not be reached (connect): why",
    );
    expect(results.get("http://a.example/3")?.verdict).toBe("alive");
  });

  it.each(["dns", "connect"] as const)(
    "%s failure → the host's other links are not tried",
    async (reason) => {
      const urls = [
        "https://a.example/1",
        "https://a.example/2",
        "https://a.example/3",
        "https://b.example/1",
      ];
      const { asked, results } = await check(urls, ({ url }) =>
        url.includes("//a.") ? failure(reason) : answer(200),
      );
      expect(asked.filter(({ url }) => url.includes("//a."))).toHaveLength(2);
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

  it("aborted → what is known is reported, the rest is not asked", async () => {
    const stop = new AbortController();
    const { asked, results } = await check(
      ["https://a.example/1", "https://a.example/2", "https://a.example/3"],
      ({ url }) => {
        if (url.endsWith("2")) stop.abort();
        return answer(200);
      },
      { signal: stop.signal },
    );
    expect(asked).toHaveLength(2);
    expect([...results.keys()]).toEqual(["https://a.example/1"]);
  });
});
