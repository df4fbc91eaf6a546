import { describe, expect, it } from "vitest";
import { normalisePages, readPages } from "../../../../shared/harvest/convert/pages.ts";
import { plainText, truncateBytes } from "../../../../shared/harvest/convert/plain-text.ts";

it.for([
  ["<p>One</p><p>Two</p>", "One Two"],
  ['a <img alt="x > y"/> b', "a b"],
  ["1 < 2 > 0", "1 < 2 > 0"],
  ["618&ndash;907&nbsp;AD &#233; &x27;", "618–907 AD é &x27;"],
  ["AT&T &amp; Co", "AT&T & Co"],
  ["?a=1&lang=es&copy=2", "?a=1&lang=es&copy=2"],
] as const)("%s → %s", ([text, expected]) => {
  expect(plainText(text)).toBe(expected);
});

it("tags that never end → read in linear time", { timeout: 5_000 }, () => {
  const text = "<a ".repeat(100_000);
  expect(plainText(text)).toBe(text.trim());
});

it.for([
  ["äää", 6, "äää"],
  ["äää", 5, "ää"],
  ["a😀", 4, "a"],
] as const)("%s in %i bytes → %s", ([text, maxBytes, expected]) => {
  expect(truncateBytes(text, maxBytes)).toBe(expected);
});

describe("pages", () => {
  it.for([
    ["12–14", "12-14"],
    ["12-12", "12"],
    ["12–12", "12"],
    ["a-a", "a-a"],
  ] as const)("%s → %s", ([pages, expected]) => {
    expect(normalisePages(pages)).toBe(expected);
  });

  it.for([
    ["1-20", undefined, { written: "1-20" }],
    ["xii", undefined, { written: "xii", arabic: "12" }],
    ["VII-IX", undefined, { written: "VII-IX", arabic: "7-9" }],
    ["xii-14", undefined, { written: "xii-14" }],
    ["", undefined, { written: "" }],
    ["article 17", undefined, { written: "", articleId: "17" }],
    ["e55", "e55", { written: "", articleId: "e55" }],
    ["1-20", "e55", { written: "1-20", articleId: "e55" }],
    ["article 17", "e55", { written: "article 17", articleId: "e55" }],
  ] as const)("%s with the note %s → %j", ([pages, articleIdNote, expected]) => {
    expect(readPages(pages, articleIdNote)).toEqual(expected);
  });
});
