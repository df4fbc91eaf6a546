import { expect, test } from "vitest";
import { plainText } from "../../../../shared/harvest/page/plain-text.ts";

test.each<[string, string, string | undefined]>([
  ["white space of all kinds → one space", " a\u00a0\n\t b\u0000c ", "a b c"],
  ["inline tags → nothing", "H<sub>2</sub>O and <jats:italic>x</jats:italic>", "H2O and x"],
  ["block tags → a space", "<p>One.</p><p>Two.<br/>Three</p>", "One. Two. Three"],
  ["tags with attributes → stripped", '<a href="x" title="y">z</a>', "z"],
  ["comparisons → kept", "p < 0.05 and x > 3", "p < 0.05 and x > 3"],
  ["entities encoded twice → decoded, their tags stripped", "&lt;i&gt;R&amp;amp;D&lt;/i&gt;", "R&amp;D"],
  ["windows-1252 passed on as Unicode → its characters", "don\u0092t", "don’t"],
  ["an address with & → kept", "https://a.example/?a=1&copy=2", "https://a.example/?a=1&copy=2"],
  ["punctuation alone → nothing", " … - ", undefined],
])("%s", (_title, value, text) => {
  expect(plainText(value)).toBe(text);
});
