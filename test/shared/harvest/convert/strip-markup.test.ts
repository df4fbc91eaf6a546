import { expect, it } from "vitest";
import { stripMarkup } from "../../../../shared/harvest/convert/strip-markup.ts";
import { cpuMsOf } from "../../../cpu-time.ts";

it.for([
  ["<p>One</p><p>Two</p>", "One Two"],
  ['a <img alt="x > y"/> b', "a b"],
  ["1 < 2 > 0", "1 < 2 > 0"],
  ["618&ndash;907&nbsp;AD &#233; &x27;", "618–907 AD é &x27;"],
  ["AT&T &amp; Co", "AT&T & Co"],
  ["?a=1&lang=es&copy=2", "?a=1&lang=es&copy=2"],
] as const)("stripMarkup: %s → %s", ([text, expected]) => {
  expect(stripMarkup(text)).toBe(expected);
});

it("tags that never end → read in linear time", () => {
  const text = "<a ".repeat(100_000);
  expect(cpuMsOf(() => expect(stripMarkup(text)).toBe(text.trim()))).toBeLessThan(5000);
});
