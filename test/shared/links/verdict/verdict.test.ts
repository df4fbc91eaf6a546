import { describe, expect, it } from "vitest";
import { maxPageBytes } from "../../../../shared/links/rule/match-page.ts";
import { compileRule, type LinkRule } from "../../../../shared/links/rule/rule.ts";
import type { ChainOutcome } from "../../../../shared/links/verdict/chain-outcome.ts";
import { judgeLink, type NotCounted } from "../../../../shared/links/verdict/verdict.ts";

const html = { "content-type": "text/html; charset=utf-8" };

/** A chain of responses, the last one with a page. */
function answered(
  statuses: number[],
  page = "<p>A page</p>",
  headers: Record<string, string> = html,
): ChainOutcome {
  const hops = statuses.map((status, hop) => ({ url: `https://a.example/${hop}`, status }));
  return { type: "answered", hops, headers, body: new TextEncoder().encode(page) };
}

function failed(
  reason: Extract<ChainOutcome, { type: "failed" }>["reason"],
  statuses: number[] = [],
): ChainOutcome {
  return { type: "failed", reason, detail: "why", hops: answered(statuses).hops };
}

function refused(
  reason: Extract<ChainOutcome, { type: "refused" }>["reason"],
  statuses: number[] = [],
): ChainOutcome {
  return { type: "refused", reason, detail: "why", hops: answered(statuses).hops };
}

const homeUrl = "https://a.example/";

/** An article whose address leads elsewhere. */
function redirectedTo(url: string, status = 200): ChainOutcome {
  const hops = [
    { url: "https://a.example/articles/1", status: 302 },
    { url, status },
  ];
  return { ...answered([status]), hops };
}

type Case = [title: string, chain: ChainOutcome, rule: Partial<LinkRule>, verdict: string, reason: string];

const errorPage = '<p class="error">Not here</p>';
const tooLarge = { reason: "body-too-large", detail: "more than 5 bytes" };
const errorRule = { xpath: '//p[@class="error"]' };

const cases: Case[] = [
  ["404, no rule", answered([404]), {}, "broken", "answered 404"],
  ["410, no rule", answered([410]), {}, "broken", "answered 410"],
  ["404 after a redirect", answered([302, 404]), {}, "broken", "answered 404"],
  ["404, rule names others", answered([404]), { statusCodes: "301" }, "broken", "answered 404"],
  ["404, XPath without hit", answered([404], "<p>"), errorRule, "broken", "answered 404"],
  ["200", answered([200]), {}, "alive", "answered 200"],
  ["201, no codes", answered([201]), {}, "alive", "answered 201"],
  ["201, codes 300, 2..", answered([201]), { statusCodes: "300, 2.." }, "broken", "which the rule names"],
  [
    "first hop 301, codes 301,302",
    answered([301, 200]),
    { statusCodes: "301,302" },
    "broken",
    "answered 301",
  ],
  ["302 → 200, codes 301,4..,50.", answered([302, 200]), { statusCodes: "301,4..,50." }, "alive", "200"],
  ["403, codes 301,4..,50.", answered([403]), { statusCodes: "301,4..,50." }, "broken", "answered 403"],
  ["503, codes 301,4..,50.", answered([503]), { statusCodes: "301,4..,50." }, "broken", "answered 503"],
  ["200, codes 301,4..,50.", answered([200]), { statusCodes: "301,4..,50." }, "alive", "answered 200"],
  ["200, code 20 would match a part", answered([200]), { statusCodes: "20." }, "broken", "20."],
  ...[400, 401, 403, 407, 408, 418, 421, 425, 451, 499, 999].flatMap((status): Case[] => [
    [
      `${status}, no codes`,
      answered([302, status]),
      {},
      "inconclusive",
      `answered ${status}: a.example refuses us`,
    ],
    [`${status}, others named`, answered([status]), { statusCodes: "404" }, "inconclusive", "refuses us"],
    [`${status}, named`, answered([status]), { statusCodes: "[49].." }, "broken", "which the rule names"],
  ]),
  ["304", answered([304]), {}, "inconclusive", "answered 304"],
  ...[200, 201, 203, 206, 226].map(
    (status): Case => [`${status} with content`, answered([status]), {}, "alive", "answered"],
  ),
  ...[202, 204, 205].map((status): Case => [`${status}`, answered([status]), {}, "inconclusive", "answered"]),
  ["202, named", answered([202]), { statusCodes: "202" }, "broken", "which the rule names"],
  ["200 with an empty page", answered([200], ""), {}, "inconclusive", "answered 200 without content"],
  [
    "200 of zero bytes that are not read",
    { ...answered([200], "", { "content-length": "0" }), body: undefined } as ChainOutcome,
    {},
    "inconclusive",
    "answered 200 without content",
  ],
  [
    "200 with a body that is not read",
    { ...answered([200]), body: undefined } as ChainOutcome,
    {},
    "alive",
    "200",
  ],
  [
    "200 with an empty page that the XPath hits",
    answered([200], ""),
    { xpath: "not(//p)" },
    "broken",
    "matches",
  ],
  ["300 with a page that the XPath hits", answered([300], errorPage), errorRule, "broken", "matches"],
  ["300, XPath without hit", answered([300], "<p>x"), errorRule, "inconclusive", "answered 300"],
  ["500, not named", answered([500]), {}, "inconclusive", "answered 500"],
  ["503, others named", answered([503]), { statusCodes: "4.." }, "inconclusive", "answered 503"],
  ["429, not named", answered([429]), {}, "inconclusive", "answered 429"],
  ["429, named", answered([429]), { statusCodes: "4.." }, "broken", "answered 429"],
  ["503 with a page that the XPath hits", answered([503], errorPage), errorRule, "inconclusive", "503"],

  ...(
    [
      ["home page, named", homeUrl, "https://a\\.example/", "broken"],
      ["home page, not named", homeUrl, " ", "inconclusive"],
      ["home page with a fragment, named", `${homeUrl}#top`, "https://a\\.example/", "broken"],
      ["home page or login, named", "https://a.example/login?next=%2F1", ".*/(login\\b.*)?", "broken"],
      ["only a part of the address named", `${homeUrl}articles/1`, "https://a\\.example/", "alive"],
      ["another named", `${homeUrl}a`, "https://b\\.example/", "alive"],
      ["an empty pattern", `${homeUrl}a`, " ", "alive"],
    ] as const
  ).map(
    ([what, url, finalUrl, verdict]): Case => [
      `redirected to the ${what}`,
      redirectedTo(url),
      { finalUrl },
      verdict,
      verdict !== "broken"
        ? "answered 200"
        : `it leads to ${url.replace("#top", "")}, which the rule names (${finalUrl})`,
    ],
  ),
  [
    "redirected to the home page, which fails",
    redirectedTo(homeUrl, 503),
    { finalUrl: homeUrl },
    "broken",
    "leads",
  ],
  ["not redirected to what is named", answered([200]), { finalUrl: homeUrl }, "alive", "answered 200"],
  [
    "no answer after a named address",
    failed("timeout", [302]),
    { finalUrl: ".*" },
    "inconclusive",
    "timeout",
  ],
  ["XPath hit", answered([200], errorPage), errorRule, "broken", 'matches //p[@class="error"]'],
  ["XPath hit on a 403", answered([403], errorPage), errorRule, "broken", "matches"],
  ["XPath without hit on a 403", answered([403], "<p>x"), errorRule, "inconclusive", "refuses us"],
  [
    "XPath, PDF with 403",
    answered([403], "x", { "content-type": "application/pdf" }),
    errorRule,
    "inconclusive",
    "refuses us",
  ],
  [
    "XPath, page of a 403 above the limit",
    { ...answered([403], "x"), body: undefined, bodyProblem: tooLarge } as ChainOutcome,
    errorRule,
    "inconclusive",
    "refuses us",
  ],
  ["XPath without hit", answered([200], '<a class="large">x</a>'), errorRule, "alive", "answered 200"],
  ["empty XPath", answered([200], errorPage), { xpath: "" }, "alive", "answered 200"],
  ["missing XPath", answered([200], errorPage), {}, "alive", "answered 200"],
  ["boolean(//p) true", answered([200], "<p>x"), { xpath: "boolean(//p)" }, "broken", "matches"],
  ["boolean(//p) false", answered([200], "<a>x"), { xpath: "boolean(//p)" }, "alive", "200"],
  ["count(//p) > 0 true", answered([200], "<p>x"), { xpath: "count(//p) > 0" }, "broken", "matches"],
  ["count(//p) > 0 false", answered([200], "<a>x"), { xpath: "count(//p) > 0" }, "alive", "200"],
  [
    "codes ok, XPath hit",
    answered([200], errorPage),
    { ...errorRule, statusCodes: "301" },
    "broken",
    "matches",
  ],
  ["codes hit, XPath ok", answered([301, 200], "x"), { ...errorRule, statusCodes: "301" }, "broken", "301"],
  ["XPath, empty body", answered([200]), errorRule, "alive", "200"],
  ["XPath, no media type", answered([200], errorPage, {}), errorRule, "broken", "matches"],
  [
    "XPath, PDF",
    answered([200], errorPage, { "content-type": "application/pdf" }),
    errorRule,
    "alive",
    "answered 200; the XPath does not apply to application/pdf",
  ],
  [
    "XPath, plain text",
    answered([200], errorPage, { "content-type": "text/plain" }),
    errorRule,
    "alive",
    "200",
  ],
  [
    "XPath, page above the limit",
    { ...answered([200], "x"), body: undefined, bodyProblem: tooLarge } as ChainOutcome,
    errorRule,
    "inconclusive",
    "page not judged (body-too-large): more than 5 bytes",
  ],
  [
    "XPath, PDF above the limit",
    {
      ...answered([200], "x", { "content-type": "application/pdf" }),
      body: undefined,
      bodyProblem: tooLarge,
    } as ChainOutcome,
    errorRule,
    "alive",
    "200",
  ],

  ...(["dns", "connect", "tls", "reset", "timeout", "bad-http", "bad-encoding"] as const).map(
    (reason): Case => [
      reason,
      failed(reason),
      { statusCodes: "..." },
      "inconclusive",
      `no answer (${reason}): why`,
    ],
  ),
  [
    "unavailable",
    failed("unavailable"),
    { statusCodes: "..." },
    "inconclusive",
    "not requested (unavailable): why",
  ],
  [
    "unavailable after a redirect",
    failed("unavailable", [302]),
    {},
    "inconclusive",
    "not followed (unavailable): why",
  ],
  [
    "timeout after a hop that is named",
    failed("timeout", [301]),
    { statusCodes: "301" },
    "broken",
    "answered 301",
  ],
  [
    "timeout after a hop that is not named",
    failed("timeout", [302]),
    { statusCodes: "301" },
    "inconclusive",
    "timeout",
  ],
  ...(
    ["bad-url", "scheme", "port", "address", "too-many-hops", "redirect-loop", "bad-redirect"] as const
  ).flatMap((reason): Case[] => [
    [reason, refused(reason), {}, "inconclusive", `not requested (${reason}): why`],
    [
      `${reason} after a redirect`,
      refused(reason, [302]),
      {},
      "inconclusive",
      `not followed (${reason}): why`,
    ],
  ]),
  [
    "loop of redirects that are named",
    refused("redirect-loop", [301, 301]),
    { statusCodes: "301" },
    "broken",
    "301",
  ],
];

describe("judgeLink", () => {
  it.each(cases.map(([title, chain, rule, verdict, reason]) => ({ title, chain, rule, verdict, reason })))(
    "$title → $verdict",
    ({ chain, rule, verdict, reason }) => {
      const judgement = judgeLink(chain, compileRule(rule));
      expect(judgement.verdict).toBe(verdict);
      expect(judgement.reason).toContain(reason);
      expect(judgement.hops).toBe(chain.hops);
    },
  );
});

describe("what was found", () => {
  it.each([
    ["200", answered([200]), "alive"],
    ["301 → 200", answered([301, 200]), "moved"],
    ["308 → 301 → 200", answered([308, 301, 200]), "moved"],
    ["301 → 302 → 200", answered([301, 302, 200]), "alive"],
    ["404", answered([404]), "gone"],
    ["410", answered([301, 410]), "gone"],
    ["503", answered([503]), "inconclusive"],
    ["no answer", failed("timeout"), "inconclusive"],
    ["a page that says that it is gone", answered([200], "<title>404 Not Found</title>"), "gone-likely"],
    ["a wall", answered([200], "<title>Just a moment...</title>"), "wall"],
    ["such a page that was not read", { ...answered([200]), body: undefined } as ChainOutcome, "alive"],
  ])("%s → %s", (_title, chain, finding) => {
    expect(judgeLink(chain, compileRule({})).finding).toBe(finding);
  });
});

describe("every status without a rule", () => {
  const statuses = Array.from({ length: 900 }, (_, index) => 100 + index);
  const judged = statuses.map((status) => ({ status, ...judgeLink(answered([status]), compileRule({})) }));
  const statusesOf = (is: (judgement: (typeof judged)[number]) => boolean) =>
    judged.filter(is).map(({ status }) => status);
  const between = (from: number, to: number) => statuses.filter((status) => from <= status && status < to);

  it("2xx with a page alone → alive; 404 and 410 alone → broken", () => {
    const withPage = between(200, 300).filter((status) => ![202, 204, 205].includes(status));
    expect(statusesOf(({ verdict }) => verdict === "alive")).toEqual(withPage);
    expect(statusesOf(({ verdict }) => verdict === "broken")).toEqual([404, 410]);
  });

  it("429 and 5xx alone → inconclusive and counted", () => {
    const isCounted = ({ verdict, notCounted }: (typeof judged)[number]) =>
      verdict === "inconclusive" && notCounted === undefined;
    expect(statusesOf(isCounted)).toEqual([429, ...between(500, 600)]);
  });
});

describe("notCounted", () => {
  const largeBody = {
    ...answered([200]),
    body: undefined,
    bodyProblem: { reason: "body-too-large", detail: "more than 5 bytes" },
  } as ChainOutcome;
  const cutOff = {
    ...answered([200]),
    body: undefined,
    bodyProblem: { reason: "reset", detail: "it broke off" },
  } as ChainOutcome;

  it.each<[title: string, chain: ChainOutcome, notCounted: NotCounted | undefined]>([
    ["a page above our limit", answered([200], "x".repeat(maxPageBytes + 1)), "our-limit"],
    ["a body above our limit", largeBody, "our-limit"],
    ["a page that was not requested", { ...answered([200]), body: undefined } as ChainOutcome, "our-limit"],
    ["an address that we do not ask", refused("address"), "our-limit"],
    ["more redirects than we follow", refused("too-many-hops"), "our-limit"],
    ["a loop of redirects", refused("redirect-loop"), undefined],
    ["a page that breaks off", cutOff, undefined],
    ["no connection", failed("connect"), undefined],
    ["no name", failed("dns"), undefined],
    ["an unavailable host", failed("unavailable"), "unavailable"],
    ["a redirect to an unavailable host", failed("unavailable", [302]), "unavailable"],
    ["headers above our limit", failed("headers-too-large"), "our-limit"],
    ["a plea for calm, or Node's limit", failed("enhance-your-calm"), "our-limit"],
    ["503", answered([503]), undefined],
    ["304", answered([304]), "no-evidence"],
    ["403", answered([403]), "refuses-us"],
    ["403 with a page above our limit", { ...largeBody, hops: answered([403]).hops }, "refuses-us"],
    ["403 with a page that the XPath hits", answered([403], errorPage), undefined],
    ["200 without a hit", answered([200]), undefined],
  ])("%s → $2", (_title, chain, notCounted) => {
    expect(judgeLink(chain, compileRule(errorRule)).notCounted).toBe(notCounted);
  });
});
