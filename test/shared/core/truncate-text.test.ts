import { expect, it } from "vitest";
import { truncateBytes, truncateText } from "../../../shared/core/truncate-text.ts";

it.for([
  ["äää", 6, "äää"],
  ["äää", 5, "ää"],
  ["a😀", 4, "a"],
] as const)("truncateBytes: %s in %i bytes → %s", ([text, maxBytes, expected]) => {
  expect(truncateBytes(text, maxBytes)).toBe(expected);
});

it("truncateText: a surrogate pair at the limit → omitted whole", () => {
  expect(truncateText(`${"a".repeat(999)}😀`)).toBe("a".repeat(999));
});
