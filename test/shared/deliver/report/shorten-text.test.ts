import { expect, it } from "vitest";
import { shortenText } from "../../../../shared/deliver/report/shorten-text.ts";

const long = `https://journal.example/${"x".repeat(400)}/end`;

it.each<[string, string, string | RegExp]>([
  ["a short text", "On Twine", "On Twine"],
  ["line breaks", "On\nTwine", "On Twine"],
  ["controls of direction", "On \u202eTwine\u202c \u2067or\u2069 Hemp", "On Twine or Hemp"],
  [
    "long URLs in a text",
    `${long} redirects to ${long}: it has no title`,
    /^https:\/\/journal\.example\/x+…x+\/end redirects to https:\/\/journal\.example\/x+…x+\/end: it has no title$/,
  ],
  ["a long text", `begin ${"because ".repeat(500)}end`, /^begin because .*…because .*because end$/],
])("%s → one line that can be read", (_which, text, told) => {
  const short = shortenText(text);
  if (typeof told === "string") expect(short).toBe(told);
  else expect(short).toMatch(told);
  expect(short.length).toBeLessThanOrEqual(300);
});

it("cut within a character → without it, not half of it", () => {
  for (const before of ["", "a"]) expect(shortenText(before + "𝔸".repeat(400)).isWellFormed()).toBe(true);
});
