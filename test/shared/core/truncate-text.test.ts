import { expect, it } from "vitest";
import { truncateBytes, truncateText, truncateToBytes } from "../../../shared/core/truncate-text.ts";

it.for([
  ["äää", 6, "äää"],
  ["äää", 5, "ää"],
  ["a😀", 4, "a"],
] as const)("truncateBytes: %s in %i bytes → %s", ([text, maxBytes, expected]) => {
  expect(truncateBytes(text, maxBytes)).toBe(expected);
});

it("truncateText: a surrogate pair at the limit → omitted whole", () => {
  expect(truncateText(`${"a".repeat(998)}😀b`)).toBe(`${"a".repeat(998)}…`);
});

it.for([
  ["a".repeat(1000), "a".repeat(1000)],
  ["a".repeat(1001), `${"a".repeat(999)}…`],
] as const)("truncateText: what is cut ends in an ellipsis", ([text, expected]) => {
  expect(truncateText(text)).toBe(expected);
});

it.for([
  ["äää", 6, "äää"],
  ["ääää", 7, "ää…"],
  ["a".repeat(500_000), 5, "aa…"],
] as const)("truncateToBytes: %s in %i bytes → %s", ([text, maxBytes, expected]) => {
  expect(truncateToBytes(text, maxBytes)).toBe(expected);
});
