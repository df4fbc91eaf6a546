import { describe, expect, it } from "vitest";
import { gatePolicy } from "../../../../shared/web/gate/gate-policy.ts";
import { policyFor } from "../../../../shared/web/gate/host-delays.ts";

const policy = gatePolicy({
  defaultDelayMs: 100,
  maxAttempts: 2,
  backoffBaseMs: 10,
  crawlDelayMinMs: 50,
  crawlDelayMaxMs: 900,
});
const settings = { defaultDelayMs: 1000, maxDelayMs: 5000 };

/** The delays of a policy: default, least, and what a Crawl-delay is at least and at most. */
function delaysOf(hostDelays: Parameters<typeof policyFor>[2] & {}): number[] {
  const { defaultDelayMs, minDelayMs, crawlDelayMinMs, crawlDelayMaxMs } = policyFor(
    "a.example",
    policy,
    hostDelays,
  );
  return [defaultDelayMs, minDelayMs, crawlDelayMinMs, crawlDelayMaxMs];
}

describe("policyFor", () => {
  it("no settings → the policy itself", () => {
    expect(policyFor("a.example", policy, undefined)).toBe(policy);
  });

  it.each([
    ["none of its own → the settings', and robots.txt within them", {}, [1000, 0, 1000, 5000]],
    ["another host's → the same", { "b.example": { defaultMs: 7 } }, [1000, 0, 1000, 5000]],
    ["a delay → that, and no Crawl-delay", { "a.example": { defaultMs: 700 } }, [700, 700, 0, 0]],
    ["a delay of 0 → none", { "a.example": { defaultMs: 0 } }, [0, 0, 0, 0]],
    ["a maximum above the default → the default", { "a.example": { maxMs: 3000 } }, [1000, 1000, 0, 0]],
    ["a maximum below the default → the maximum", { "a.example": { maxMs: 300 } }, [300, 300, 0, 0]],
    ["a delay above its maximum → the maximum", { "a.example": { defaultMs: 9, maxMs: 5 } }, [5, 5, 0, 0]],
    ["nothing in its entry → the default", { "a.example": {} }, [1000, 1000, 0, 0]],
  ])("a host with %s", (_title, hostDelays, expected) => {
    expect(delaysOf({ ...settings, hostDelays })).toEqual(expected);
  });

  it("a host named like a property of every object → no delay of its own", () => {
    expect(policyFor("constructor", policy, { ...settings, hostDelays: {} }).defaultDelayMs).toBe(1000);
  });
});
