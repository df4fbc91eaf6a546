import { describe, expect, it } from "vitest";
import { comparablePath, matches, readPattern } from "../../../../shared/web/robots/path-pattern.ts";

describe("fits", () => {
  it.each([
    ["/", "/", true],
    ["/a", "/a/b", true],
    ["/a", "/ab", true],
    ["/ab", "/a", false],
    ["/a$", "/a", true],
    ["/a$", "/a?", true],
    ["/a$", "/a?b", false],
    ["/a*b", "/a/x/b/c", true],
    ["/a*b", "/ab", true],
    ["/a*b", "/ba", false],
    ["/a*b$", "/axbxb", true],
    ["/a*b$", "/axbx", false],
    ["/a*b*c$", "/a-b-c-c", true],
    ["*", "/anything", true],
    ["*$", "/anything", true],
    ["/*?", "/a?b", true],
    ["/*?", "/a", false],
    ["a", "/a", false],
    ["", "/a", true],
    ["/%E3%83%84", "/ツ", true],
    ["/ツ", "/%e3%83%84", true],
    ["/%2f", "/%2F", true],
    ["/%2f", "//", false],
    ["/%zz", "/%zz", true],
    ["/\ud800", "/\ud800", true],
  ])("the pattern %s, the path %s → %s", (pattern, path, expected) => {
    const url = new URL("https://a.example");
    const [pathname = "", query] = path.split("?");
    url.pathname = pathname;
    if (query !== undefined) url.search = query;
    expect(matches(readPattern(pattern), comparablePath(url))).toBe(expected);
  });
});

describe("readPattern", () => {
  it.each([
    ["/a", 2, 2],
    ["/a$", 2, 3],
    ["/a*b", 3, 4],
    ["/%61", 2, 2],
    ["/a$b", 6, 6],
  ])(
    "%s → %i characters to be found, %i by which it is compared with others",
    (path, partsLength, length) => {
      expect(readPattern(path)).toMatchObject({ partsLength, length });
    },
  );
});
