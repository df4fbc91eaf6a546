import { expect, it } from "vitest";
import { printable } from "../../../../local/cli/commands/printable.ts";

it.each([
  ["an escape", "a\x1b[2J", "a\\x1b[2J"],
  ["a line break", "a\r\nb\u0085c", "a\\x0d\\x0ab\\x85c"],
  ["line and paragraph separators", "a\u2028b\u2029c", "a\\u2028b\\u2029c"],
  [
    "an override and an isolate",
    "\u202Egpj.exe\u202C \u2066x\u2069",
    "\\u202egpj.exe\\u202c \\u2066x\\u2069",
  ],
  ["a mark beside Hebrew", "\u05D0\u200F!", "\u05D0\u200F!"],
  ["other scripts", "Größe 山田 👍", "Größe 山田 👍"],
])("%s → %j becomes %j", (_title, text, expected) => {
  expect(printable(text)).toBe(expected);
});
