import { describe, expect, it } from "vitest";
import {
  finishRuleTest,
  type RuleTest,
  requestRuleTest,
} from "../../../../shared/links/rule-test/rule-test.ts";
import { type NewRequest, outboundRequest } from "../../../../shared/web/request/request.ts";
import { inboundResponse } from "../../../../shared/web/request/response.ts";
import { start } from "../link-world.ts";

function desk() {
  const tests = new Map<string, RuleTest>();
  const sent: NewRequest[] = [];
  const pages = new Map<string, string>();
  const ports = {
    tests: {
      create: async (test: RuleTest) => void tests.set(test.testId, test),
      finish: async (testId: string, result: RuleTest["result"]) => {
        const test = tests.get(testId);
        if (test !== undefined && result !== undefined) tests.set(testId, { ...test, result });
      },
    },
    requests: { send: async (requests: NewRequest[]) => void sent.push(...requests) },
    bodies: { load: async (key: string) => new TextEncoder().encode(pages.get(key)) },
    clock: { now: () => start, sleep: async () => {} },
    newId: () => `t${tests.size + 1}`,
  };
  const finish = async (outcome: Record<string, unknown>) => {
    const request = outboundRequest.parse(sent[0]);
    await finishRuleTest(inboundResponse.parse({ request, outcome }), ports);
    return tests.get(request.id)?.result;
  };
  return { ports, sent, tests, pages, finish };
}

const url = "https://a.example/x";
const answered = { type: "answered", headers: { "content-type": "text/html" }, url, elapsedMs: 1 };
const ok = { ...answered, status: 200, hops: [{ url, status: 200 }] };

describe("a rule test", () => {
  it("goes through the gate with the rule's throttle", async () => {
    const { ports, sent, tests } = desk();
    const test = await requestRuleTest({ url, rule: { xpath: "//h1", throttleSeconds: 2 } }, ports);
    expect(sent).toMatchObject([{ id: "t1", kind: "rule-test", url, throttleMs: 2000, obeyRobots: false }]);
    expect(tests.get(test.testId)?.result).toBeUndefined();
  });

  it.each([
    [{ xpath: "//h1" }, "markup"],
    [{ xpath: " " }, "discard"],
    [{ statusCodes: "403" }, "discard"],
  ])("%j → keeps %s: no PDF is waited for, nor a page that nobody looks into", async (rule, bodyPolicy) => {
    const { ports, sent } = desk();
    await requestRuleTest({ url, rule }, ports);
    expect(sent).toMatchObject([{ bodyPolicy }]);
  });

  it.each<[string, object, string, object, object]>([
    [
      "the XPath hits → its node's text",
      { xpath: "//p[@class='error']" },
      '<p class="error">This page\n has <b>moved</b></p>',
      ok,
      {
        verdict: "broken",
        reason: "the page matches //p[@class='error']",
        matchedText: "This page has moved",
      },
    ],
    [
      "a status of a hop hits → that status",
      { statusCodes: "301", xpath: "//h1" },
      "<p>x</p>",
      {
        ...ok,
        hops: [
          { url: "https://a.example/", status: 301 },
          { url, status: 200 },
        ],
      },
      { verdict: "broken", reason: "answered 301, which the rule names (301)" },
    ],
    ["nothing hits → alive", { xpath: "//h1" }, "<p>x</p>", ok, { verdict: "alive" }],
    [
      "a redirect to a host that does not answer → inconclusive, with the hops so far",
      { xpath: "//h1" },
      "",
      { type: "failed", reason: "dns", detail: "no such host", attempts: 4, hops: [{ url, status: 302 }] },
      { verdict: "inconclusive", hops: [{ url, status: 302 }] },
    ],
    [
      "a redirect that the rule names, to a host that does not answer → broken",
      { statusCodes: "30." },
      "",
      { type: "failed", reason: "dns", detail: "no such host", attempts: 4, hops: [{ url, status: 302 }] },
      { verdict: "broken" },
    ],
    [
      "a refused address → inconclusive",
      {},
      "",
      { type: "refused", reason: "address", detail: "it is private" },
      { verdict: "inconclusive", reason: "not requested (address): it is private" },
    ],
    ["an empty page → inconclusive", { xpath: "//h1" }, "no body", ok, { verdict: "inconclusive" }],
  ])("%s", async (_title, rule, page, outcome, expected) => {
    const { ports, pages, finish } = desk();
    await requestRuleTest({ url, rule }, ports);
    pages.set("page", page);
    const hasBody = page !== "no body" && "status" in outcome;
    expect(await finish({ ...outcome, ...(hasBody && { bodyKey: "page" }) })).toMatchObject(expected);
  });

  const none = { isHit: false, statuses: [] };
  const rule = { xpath: "//p[@class='error']", statusCodes: "30.,403" };
  const page = '<p class="error">It has\n moved</p>';
  const hit = { isHit: true, matchedText: "It has moved" };
  const status = (...statuses: number[]) => ({
    ...ok,
    status: statuses.at(-1),
    hops: statuses.map((status) => ({ url, status })),
  });
  const png = { ...ok, headers: { "content-type": "image/png" } };
  const large = { ...ok, bodyProblem: { reason: "body-too-large", detail: "more than 5 bytes" } };
  const noName = { type: "failed", reason: "dns", detail: "no such host", attempts: 4 };

  it.each<[string, object, string, object, verdict: string, statusCodes: object, xpath: object]>([
    ["200, both", rule, page, status(302, 200), "broken", { isHit: true, statuses: [302] }, hit],
    ["404, which no pattern names", rule, page, status(404), "broken", none, hit],
    ["403, which one names", rule, page, status(403), "broken", { isHit: true, statuses: [403] }, hit],
    ["two statuses", rule, page, status(301, 403), "broken", { isHit: true, statuses: [301, 403] }, hit],
    ["503", rule, page, status(503), "inconclusive", none, hit],
    ["404, without the node", rule, "<p>x</p>", status(404), "broken", none, { isHit: false }],
    ["no part at all", {}, page, status(200), "alive", none, { isHit: false }],
    [
      "an image",
      rule,
      "x",
      png,
      "alive",
      none,
      { isHit: false, problem: "the XPath does not apply to image/png" },
    ],
    [
      "a page that is too large",
      rule,
      "no body",
      large,
      "inconclusive",
      none,
      { isHit: false, problem: "page not judged (body-too-large): more than 5 bytes" },
    ],
    [
      "no page",
      rule,
      "no body",
      { ...noName, hops: [{ url, status: 302 }] },
      "broken",
      { isHit: true, statuses: [302] },
      { isHit: false, problem: "there is no page: no such host" },
    ],
  ])("%s → what each part finds, whatever the verdict", async (...row) => {
    const [_title, rule, page, outcome, verdict, statusCodes, xpath] = row;
    const { ports, pages, finish } = desk();
    await requestRuleTest({ url, rule }, ports);
    pages.set("page", page);
    const result = await finish({ ...outcome, ...(page !== "no body" && { bodyKey: "page" }) });
    expect(result?.verdict).toBe(verdict);
    expect(result?.parts).toEqual({ statusCodes, finalUrl: { isHit: false }, xpath });
  });

  it("redirected to what finalUrl names → broken, and which address", async () => {
    const { ports, finish } = desk();
    const home = "https://a.example/";
    await requestRuleTest({ url, rule: { finalUrl: "https://[^/]+/" } }, ports);
    const hops = [
      { url, status: 302 },
      { url: home, status: 200 },
    ];
    const result = await finish({ ...ok, url: home, hops });
    expect(result).toMatchObject({ verdict: "broken", parts: { finalUrl: { isHit: true, url: home } } });
  });

  it("a URL of another scheme → InputError that names the allowed ones", async () => {
    const refused = requestRuleTest({ url: "ftp://a.example/" }, desk().ports);
    await expect(refused).rejects.toThrow('url: must be an http or https URL (got "ftp://a.example/")');
  });

  it.each<[field: string, unknown]>([
    ["url", { url: "ftp://a.example/", rule: {} }],
    ["url", { rule: {} }],
    ["rule.xpath", { url, rule: { xpath: "//p[" } }],
    ["rule.statusCodes", { url, rule: { statusCodes: "301,,302" } }],
    ["rule.throttleSeconds", { url, rule: { throttleSeconds: 4000 } }],
  ])("a bad %s → InputError that names it, no request", async (field, input) => {
    const { ports, sent } = desk();
    await expect(requestRuleTest(input, ports)).rejects.toMatchObject({ name: "InputError", field });
    expect(sent).toEqual([]);
  });
});
