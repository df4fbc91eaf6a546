import { expect, it } from "vitest";
import { expectedDelay } from "../../../../shared/web/gate/expected-delay.ts";
import { policyFor } from "../../../../shared/web/gate/host-delays.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const policy = { defaultDelayMs: 1000, minDelayMs: 0, crawlDelayMinMs: 1000, crawlDelayMaxMs: 30_000 };
const robots = (crawlDelayMs: number, untilMs = now + 1) => ({
  robots: { "https://a.example": { known: { access: "rules" as const, untilMs, crawlDelayMs } } },
});
const settings = {
  defaultDelayMs: 2000,
  maxDelayMs: 60_000,
  hostDelays: { "a.example": { defaultMs: 9000 } },
};

it.each([
  ["a host that is not known", undefined, undefined, { defaultMs: 1000, minMs: 0 }],
  ["a Crawl-delay", robots(20_000), undefined, { defaultMs: 1000, minMs: 20_000 }],
  ["a Crawl-delay above the limit", robots(90_000), undefined, { defaultMs: 1000, minMs: 30_000 }],
  ["a robots.txt that is out of date", robots(20_000, now - 1), undefined, { defaultMs: 1000, minMs: 0 }],
  ["a delay that an operator has set", robots(20_000), settings, { defaultMs: 9000, minMs: 9000 }],
])("%s → the delay that the gate will keep", (_title, state, delays, expected) => {
  expect(expectedDelay(state, policyFor("a.example", policy, delays), now)).toEqual(expected);
});
