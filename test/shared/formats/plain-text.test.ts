import { describe, expect, test } from "vitest";
import { maxTextChars } from "../../../shared/formats/limits.ts";
import { collapseSpace, htmlToText, plainText, tidyText } from "../../../shared/formats/plain-text.ts";

describe("htmlToText", () => {
  test.each<[string, string, string | undefined]>([
    ["tags inside a word → nothing", "H<sub>2</sub>O", "H2O"],
    ["tags between words → a space", "<p>One.</p><P class='x'>Two.<br/>Three", "One. Two. Three"],
    [
      "tags with a prefix → as without",
      "<jats:p>One</jats:p><jats:p><jats:b>T</jats:b>wo</jats:p>",
      "One Two",
    ],
    ["comments → nothing", "a<!-- <b> -->b<!-- c -->", "a<!-- -->b"],
    ["comparisons → kept", "p < 0.05 and x > 3", "p < 0.05 and x > 3"],
    ["an address in angle brackets → kept", "see <https://a.example/1>", "see <https://a.example/1>"],
    ["entities → characters", "R&amp;D &#233; &ouml;", "R&D é ö"],
    ["an address with & → kept", "?a=1&copy=2&lang=es", "?a=1&copy=2&lang=es"],
    ["nothing but markup → undefined", "<p> <br> </p>", undefined],
  ])("%s", (_title, html, text) => {
    expect(htmlToText(html)).toBe(text);
  });
});

test.each<[string, string, string | undefined]>([
  ["windows-1252 passed on as Unicode → its characters", "don\u0092t \u0096 ever", "don’t – ever"],
  ["white space of all kinds → one blank", "\ufeff a\u00a0\n\t b\u3000c  d ", "a b c d"],
  ["control characters → a blank", "a\u0000b\u007fc", "a b c"],
  [
    "what turns the direction of text → nothing; marks stay",
    "a\u202eb\u202c \u2067c\u2069 d\u200f",
    "ab c d\u200f",
  ],
  ["blanks alone → undefined", "  \u00a0", undefined],
])("tidyText: %s", (_title, text, tidy) => {
  expect(tidyText(text)).toBe(tidy);
});

test("collapseSpace: characters of windows-1252 → blanks like other control characters", () => {
  expect(collapseSpace(" don\u0092t  ever ")).toBe("don t ever");
});

test.each<[string, string, string | undefined]>([
  ["entities encoded twice → decoded, their tags stripped", "&lt;i&gt;R&amp;amp;D&lt;/i&gt;", "R&amp;D"],
  ["tags and comparisons → as in all HTML", "<p>p < 0.05</p><p>x</p>", "p < 0.05 x"],
  ["punctuation alone → nothing", " … - ", undefined],
  ["more than is read → cut", "x".repeat(maxTextChars + 1), "x".repeat(maxTextChars)],
])("plainText: %s", (_title, value, text) => {
  expect(plainText(value)).toBe(text);
});
