import { expect, test } from "vitest";
import { oneLine } from "../../../shared/core/one-line.ts";

test.each([
  ["nothing to change", "245 $a: x", "245 $a: x"],
  ["line breaks and controls → a blank for each row of them", "a\r\n\u0000b\u0085c", "a b c"],
  ["separators of lines and paragraphs", "a\u2028b\u2029c", "a b c"],
  ["what turns the direction is left out, its marks stay", "a\u202Eb\u2066c\u200Ed", "abc\u200Ed"],
])("%s", (_title, text, line) => {
  expect(oneLine(text)).toBe(line);
});
