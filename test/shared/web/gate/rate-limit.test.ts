import { expect, it } from "vitest";
import { rateLimitDelayMs } from "../../../../shared/web/gate/rate-limit.ts";

it.each<[limit: string | undefined, interval: string | undefined, delayMs: number]>([
  ["50", "1s", 20],
  ["3", "1s", 334],
  ["10", "1m", 6000],
  ["1", "1500ms", 1500],
  ["5", "10", 2000],
  ["1", "100h", 3_600_000],
  ["0", "1s", 0],
  ["many", "1s", 0],
  ["50", "soon", 0],
  ["50", undefined, 0],
  [undefined, "1s", 0],
])("%s requests in %s → a delay of %d ms", (limit, interval, expected) => {
  const headers = {
    ...(limit !== undefined && { "x-rate-limit-limit": limit }),
    ...(interval !== undefined && { "x-rate-limit-interval": interval }),
  };
  const answer = { type: "answered", status: 200, headers, body: new Uint8Array(), elapsedMs: 1 } as const;
  expect(rateLimitDelayMs(answer as never)).toBe(expected);
});
