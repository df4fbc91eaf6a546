import { expect, it } from "vitest";
import { defaultLimits, limitsWithin } from "../../../../shared/web/exchange/limits.ts";

it.each([1000, 2000, 90_000])(
  "exchanges of at most %i ms → headers and body together last no longer",
  (maxMs) => {
    const { headersMs, bodyMs } = limitsWithin(maxMs);
    expect(headersMs).toBeGreaterThan(0);
    expect(bodyMs).toBeGreaterThan(headersMs);
    expect(headersMs + bodyMs).toBe(maxMs);
  },
);

it("as long as by default → the default limits", () => {
  const { headersMs, bodyMs } = defaultLimits;
  expect(limitsWithin(headersMs + bodyMs)).toEqual({ headersMs, bodyMs });
});
