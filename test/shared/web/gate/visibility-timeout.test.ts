import { expect, it } from "vitest";
import { visibilityTimeoutSeconds } from "../../../../shared/web/gate/visibility-timeout.ts";

it.each([
  [0, 0],
  [899, 0],
  [900, 1],
  [2000, 2],
  [2500, 2],
  [2950, 3],
  [3_600_000, 3600],
])("a wait of %i ms → hidden for %i s", (waitMs, seconds) => {
  expect(visibilityTimeoutSeconds(waitMs)).toBe(seconds);
});
