import { describe, expect, it } from "vitest";
import type { ExchangeOutcome } from "../../../../shared/web/exchange/exchange.ts";
import { gatePolicy } from "../../../../shared/web/gate/gate-policy.ts";
import {
  decideRetry,
  failureStreakAfter,
  unavailabilityAfter,
} from "../../../../shared/web/gate/retry-policy.ts";
import { answer, failure } from "../gate-world.ts";

const policy = gatePolicy({
  defaultDelayMs: 0,
  maxAttempts: 4,
  backoffBaseMs: 1000,
  backoffMaxMs: 8000,
  lastAttemptMinDelayMs: 60_000,
});
const now = new Date("2026-11-20T12:00:00Z");
const decide = (outcome: ExchangeOutcome, tries: { attempts: number; failures?: number; givenUp?: number }) =>
  decideRetry(outcome, { failures: 0, givenUp: 0, ...tries }, { policy, now, random: 0.5 });
const translated = { ...answer(500), transport: { translated: "page" } } as ExchangeOutcome;
const waiting = (retryAfter: string) =>
  ({ ...failure("transport-unavailable"), retryAfter }) as ExchangeOutcome;
const refused: ExchangeOutcome = { type: "refused", reason: "scheme", detail: "why" };

describe("decideRetry", () => {
  it.each<[string, ExchangeOutcome, Parameters<typeof decide>[1], string, number, string]>([
    ["200", answer(200), { attempts: 1 }, "final", 0, "healthy"],
    ["404", answer(404), { attempts: 1 }, "final", 0, "healthy"],
    ["409, which will not pass", answer(409), { attempts: 1 }, "final", 0, "healthy"],
    ["408", answer(408), { attempts: 1 }, "retry", 1001, "failing"],
    ["421", answer(421), { attempts: 1 }, "retry", 1001, "failing"],
    ["425", answer(425), { attempts: 1 }, "retry", 1001, "failing"],
    ["501, which will not pass", answer(501), { attempts: 1 }, "final", 0, "healthy"],
    ["505, which will not pass", answer(505), { attempts: 1 }, "final", 0, "healthy"],
    ["500", answer(500), { attempts: 1 }, "retry", 1001, "failing"],
    ["500, second try", answer(500), { attempts: 2 }, "retry", 2001, "failing"],
    ["500, last try", answer(500), { attempts: 4 }, "final", 8001, "failing"],
    ["500 after a row of failures", answer(500), { attempts: 1, failures: 2 }, "retry", 4001, "failing"],
    ["500 after a row without end", answer(500), { attempts: 1, failures: 9e9 }, "retry", 8001, "failing"],
    [
      "500 after two given up → its only try",
      answer(500),
      { attempts: 1, givenUp: 2 },
      "final",
      1001,
      "failing",
    ],
    [
      "a time-out after two given up",
      failure("timeout"),
      { attempts: 1, givenUp: 2 },
      "final",
      1001,
      "failing",
    ],
    [
      "no connection after two given up → all tries",
      failure("connect"),
      { attempts: 1, givenUp: 2 },
      "retry",
      1001,
      "failing",
    ],
    [
      "no connection before the last try → a probe's time",
      failure("dns"),
      { attempts: 3 },
      "retry",
      60_001,
      "failing",
    ],
    ["a time-out before the last try", failure("timeout"), { attempts: 3 }, "retry", 4001, "failing"],
    ["a plea for calm", failure("enhance-your-calm"), { attempts: 1 }, "retry", 1001, "failing"],
    ["TLS", failure("tls"), { attempts: 1 }, "final", 0, "unknown"],
    ["bad HTTP", failure("bad-http"), { attempts: 1 }, "final", 0, "healthy"],
    [
      "our transport",
      failure("transport-unavailable"),
      { attempts: 1, givenUp: 9 },
      "retry",
      1001,
      "unknown",
    ],
    ["our transport, last try", failure("transport-unavailable"), { attempts: 4 }, "final", 0, "unknown"],
    ["it, asking for patience", waiting("20"), { attempts: 1 }, "retry", 20_001, "unknown"],
    ["it, asking for patience at its last try", waiting("20"), { attempts: 4 }, "final", 20_001, "unknown"],
    [
      "it, asking for a date",
      waiting("Fri, 20 Nov 2026 12:00:30 GMT"),
      { attempts: 1 },
      "retry",
      30_001,
      "unknown",
    ],
    ["it, asking for too much", waiting("99999"), { attempts: 1 }, "retry", 3_600_001, "unknown"],
    ["it, asking for what nobody reads", waiting("soon"), { attempts: 1 }, "retry", 1001, "unknown"],
    ["500 from it", translated, { attempts: 1 }, "final", 0, "unknown"],
    ["a refusal", refused, { attempts: 1 }, "final", 0, "unknown"],
  ])("%s", (_title, outcome, tries, type, backoffMs, health) => {
    expect(decide(outcome, tries)).toEqual({ type, backoffMs, health });
  });
});

describe("failureStreakAfter", () => {
  it.each([
    ["well → none", { type: "final", health: "healthy" }, { failures: 0, givenUp: 0 }],
    ["unknown → as before", { type: "final", health: "unknown" }, { failures: 3, givenUp: 1 }],
    [
      "in trouble, tried again → a failure",
      { type: "retry", health: "failing" },
      { failures: 4, givenUp: 1 },
    ],
    ["in trouble to the end → given up", { type: "final", health: "failing" }, { failures: 4, givenUp: 2 }],
  ] as const)("%s", (_title, retry, expected) => {
    expect(failureStreakAfter({ failures: 3, givenUp: 1 }, { ...retry, backoffMs: 0 })).toEqual(expected);
  });
});

describe("unavailabilityAfter", () => {
  const url = new URL("https://a.example:8443/1");
  it.each<[string, ExchangeOutcome, number, string | undefined]>([
    ["no address → the host", failure("dns"), 1, "a.example:8443"],
    ["no connection → the origin", failure("connect"), 1, "https://a.example:8443"],
    ["500, seven given up", answer(500), 7, undefined],
    ["500, eight given up → the host", answer(500), 8, "a.example:8443"],
    ["a reset, eight given up → the host", failure("reset"), 8, "a.example:8443"],
    ["404, whatever was before", answer(404), 8, undefined],
    ["TLS, whatever was before", failure("tls"), 8, undefined],
  ])("%s", (_title, outcome, givenUp, what) => {
    expect(unavailabilityAfter(outcome, url, { givenUp, policy, now })?.what).toBe(what);
  });

  it("a Retry-After, where longer ones are given up → obeyed up to the longest, else the host is unavailable for so long", () => {
    const strict = { ...policy, givesUpLongerRetryAfter: true };
    const asking = (seconds: number) => {
      const outcome = { ...answer(503), headers: { "retry-after": String(seconds) } } as ExchangeOutcome;
      const retry = decideRetry(
        outcome,
        { attempts: 1, failures: 0, givenUp: 0 },
        { policy: strict, now, random: 0.5 },
      );
      return { ...retry, ...unavailabilityAfter(outcome, url, { givenUp: 1, policy: strict, now }) };
    };
    expect(asking(3600)).toEqual({ type: "retry", backoffMs: 3_600_001, health: "failing" });
    expect(asking(3601)).toMatchObject({
      type: "final",
      what: "a.example:8443",
      detail: "it asks for a wait of 3601 s (Retry-After), more than the longest permitted wait of 3600 s",
      forMs: 3_601_000,
    });
    expect(asking(1e9)).toMatchObject({ type: "final", forMs: 86_400_000 });
  });
});
