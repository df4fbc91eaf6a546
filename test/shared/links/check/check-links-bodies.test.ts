import { describe, expect, it } from "vitest";
import { answer, badBody, check } from "./checked-links.ts";

describe("the bodies of checked links", () => {
  const xpath = "//p";
  it.each([
    { title: "no XPath", rule: {}, wanted: { peekBytes: 16_384 }, delayMs: 1000, verdict: "alive" },
    { title: "no XPath, no delay", rule: {}, wanted: "discard", verdict: "alive" },
    { title: "no XPath, a PDF", rule: {}, type: "application/pdf", wanted: "discard", verdict: "alive" },
    { title: "an XPath", rule: { xpath }, wanted: "keep", verdict: "broken" },
    { title: "an XPath, 403", rule: { xpath }, status: 403, wanted: "keep", verdict: "broken" },
    {
      title: "an XPath, a PDF",
      rule: { xpath },
      type: "application/pdf",
      wanted: "discard",
      verdict: "alive",
    },
    { title: "an XPath, 404", rule: { xpath }, status: 404, wanted: "discard", verdict: "broken" },
    { title: "an XPath, 500", rule: { xpath }, status: 500, wanted: "discard", verdict: "inconclusive" },
    { title: "an XPath, 301", rule: { xpath }, status: 301, wanted: "discard", verdict: "inconclusive" },
    {
      title: "an XPath, 403 that is named",
      rule: { xpath, statusCodes: "403" },
      status: 403,
      wanted: "discard",
      verdict: "broken",
    },
  ])(
    "$title → $wanted the body",
    async ({ rule, status = 200, type = "text/html", wanted, verdict, delayMs = 0 }) => {
      const headers = { "content-type": type };
      const { requested, results } = await check(
        ["https://a.example/1"],
        () => answer(status, headers, "<p>"),
        { rule, delayMs },
      );
      const wants = requested[0]?.request.bodyMode;
      expect(typeof wants === "function" && wants({ status, headers })).toEqual(wanted);
      expect(results.get("https://a.example/1")?.verdict).toBe(verdict);
    },
  );

  it("an XPath, and a PDF whose body is not read → alive", async () => {
    const { results } = await check(
      ["https://a.example/1"],
      () => answer(200, { "content-type": "application/pdf" }),
      { rule: { xpath } },
    );
    expect(results.get("https://a.example/1")?.verdict).toBe("alive");
  });

  it.each([
    ["text/html", "inconclusive"],
    ["application/pdf", "alive"],
  ])("an XPath, and %s above the limit → %s", async (type, verdict) => {
    const { requested, results } = await check(
      ["https://a.example/1"],
      () => badBody(200, "body-too-large", { "content-type": type }),
      { rule: { xpath: "//p" } },
    );
    expect(requested).toHaveLength(1);
    expect(results.get("https://a.example/1")?.verdict).toBe(verdict);
  });

  it.each([
    { status: 404, reason: "reset", asks: 1, verdict: "broken", why: "answered 404" },
    { status: 403, reason: "bad-encoding", asks: 1, verdict: "broken", why: "which the rule names" },
    { status: 301, reason: "body-too-large", asks: 2, verdict: "alive", why: "answered 200" },
    {
      status: 200,
      reason: "bad-encoding",
      asks: 1,
      verdict: "inconclusive",
      why: "not judged (bad-encoding)",
    },
    { status: 200, reason: "reset", asks: 2, verdict: "inconclusive", why: "not judged (reset)" },
  ] as const)("an XPath, and $status with a body that is $reason → $verdict", async (expected) => {
    const { status, reason, asks, verdict, why } = expected;
    const { requested, results } = await check(
      ["https://a.example/1"],
      ({ url }) =>
        url.endsWith("/1") ? badBody(status, reason, { location: "/2" }) : answer(200, {}, "<a>x"),
      { rule: { xpath: "//p", statusCodes: "403" } },
    );
    expect(requested).toHaveLength(asks);
    expect(results.get("https://a.example/1")).toMatchObject({
      verdict,
      reason: expect.stringContaining(why),
    });
    expect(results.get("https://a.example/1")?.hops[0]?.status).toBe(status);
  });
});
