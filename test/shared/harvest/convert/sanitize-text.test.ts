import { expect, test } from "vitest";
import { sanitizeText } from "../../../../shared/harvest/convert/sanitize-text.ts";

test.each<[string, string, string, string | undefined]>([
  ["plain text", "Bees & wax", "Bees & wax", undefined],
  ["letters, emoji, tabs and line ends", "Bücher 📚\t\r\n語", "Bücher 📚\t\r\n語", undefined],
  ["half of a surrogate pair", "a\ud83d b", "a\ufffd b", "U+D83D"],
  ["the other half", "\udc00", "\ufffd", "U+DC00"],
  ["control characters, each listed once", "a\u0000b\u0000c\u0085d", "a b c d", "U+0000, U+0085"],
  ["no characters", "\ufffe\uffff", "\ufffd\ufffd", "U+FFFE, U+FFFF"],
  ["what was lost before", "M\ufffdller", "M\ufffdller", "U+FFFD"],
  [
    "more than are listed",
    "\u0001\u0002\u0003\u0004\u0005\u0006",
    "      ",
    "U+0001, U+0002, U+0003, U+0004, U+0005",
  ],
])("%s", (_what, text, sound, told) => {
  const warnings: string[] = [];
  expect(sanitizeText(text, "title", (warning) => warnings.push(warning))).toBe(sound);
  expect(warnings).toEqual(
    told === undefined
      ? []
      : [`title has invalid characters (${told}); they were replaced by blanks or U+FFFD`],
  );
});
