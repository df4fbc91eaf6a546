import { expect, test } from "vitest";
import { MAX_TEXT_CHARS } from "../../../../shared/metadata/page/limits.ts";
import { plainText } from "../../../../shared/metadata/page/page-text.ts";

test.each<[string, string, string | undefined]>([
  ["entities encoded twice → decoded, their tags stripped", "&lt;i&gt;R&amp;amp;D&lt;/i&gt;", "R&amp;D"],
  ["tags and comparisons → as in all HTML", "<p>p < 0.05</p><p>x</p>", "p < 0.05 x"],
  ["punctuation alone → nothing", " … - ", undefined],
  ["more than is read → cut", "x".repeat(MAX_TEXT_CHARS + 1), "x".repeat(MAX_TEXT_CHARS)],
])("plainText: %s", (_title, value, text) => {
  expect(plainText(value)).toBe(text);
});
