import { describe, expect, it } from "vitest";
import { readRobots, robotsText } from "../../../../shared/web/robots/robots.ts";
import { cpuMsOf } from "../../../cpu-time.ts";

const origin = "https://journal.example";

function allows(file: string, path: string): boolean {
  return readRobots(file).disallows(new URL(path, origin)) === undefined;
}

/**
 * The example of RFC 9309, with one of its robots renamed to us. @see
 * https://www.rfc-editor.org/rfc/rfc9309#section-5.1
 */
const example = (us: string) =>
  `User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
`.replace(us, "Ingather");

describe("RFC 9309", () => {
  it.each(["foobot", "FooBot"])("another product token: %s → the rules of its group", (product) => {
    const { disallows } = readRobots(example("-"), product);
    expect(disallows(new URL("/example/page.html", origin))).toBeUndefined();
    expect(disallows(new URL("/publications/", origin))).toBe('line 7: "Disallow:/"');
  });

  it.each([
    ["not named", "nobot", "/publications/a.html", true],
    ["not named", "nobot", "/a.gif", false],
    ["not named", "nobot", "/a.gif?size=1", true],
    ["not named", "nobot", "/example/page.html", false],
    ["foobot", "foobot", "/", false],
    ["foobot", "foobot", "/example/page.html", true],
    ["foobot", "foobot", "/example/allowed.gif", true],
    ["foobot", "foobot", "/example/other.gif", false],
    ["barbot, one of two", "barbot", "/example/page.html", false],
    ["bazbot, one of two", "bazbot", "/example/page.html", false],
    ["bazbot, one of two", "bazbot", "/example/", true],
    ["quxbot, without rules", "quxbot", "/example/page.html", true],
  ])("5.1 we are %s: %s %s → allowed %s", (_, us, path, expected) => {
    expect(allows(example(us), path)).toBe(expected);
  });

  it.each([
    [
      "5.2 the longest match counts",
      "Allow: /example/page/\nDisallow: /example/page/disallowed.gif",
      "/example/page/",
      true,
    ],
    [
      "5.2 the longest match counts",
      "Allow: /example/page/\nDisallow: /example/page/disallowed.gif",
      "/example/page/disallowed.gif",
      false,
    ],
    ["2.2.2 of equals, allow counts", "Disallow: /page\nAllow: /page", "/page", true],
    ["2.2.2 paths are case-sensitive", "Disallow: /Page", "/page", true],
    ["2.2.2 the query counts", "Disallow: /foo/bar?baz=quz", "/foo/bar?baz=quz", false],
    ["2.2.2 letters beyond ASCII", "Disallow: /foo/bar/ツ", "/foo/bar/%E3%83%84", false],
    ["2.2.2 escaped letters beyond ASCII", "Disallow: /foo/bar/%e3%83%84", "/foo/bar/ツ", false],
    ["2.2.2 escaped ASCII", "Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", false],
    ["2.2.2 escaped ASCII in the URL", "Disallow: /foo/bar/baz", "/foo/bar/%62%61%7a", false],
    ["2.2.2 an escaped slash is not a slash", "Disallow: /foo/bar", "/foo%2Fbar", true],
    ["2.2.3 # ends the line", "Disallow: /page # all", "/page", false],
    ["2.2.3 $ is the end", "Disallow: /this/path/exactly$", "/this/path/exactly/not", true],
    ["2.2.3 $ is the end", "Disallow: /this/path/exactly$", "/this/path/exactly", false],
    ["2.2.3 * is anything", "Disallow: /this/*/exactly", "/this/long/path/exactly", false],
    [
      "2.2.3 an escaped * is an asterisk",
      "Disallow: /path/file-with-a-%2A.html",
      "/path/file-with-a-b.html",
      true,
    ],
    ["2.2.3 an escaped * is one", "Disallow: /path/file-with-a-%2a.html", "/path/file-with-a-*.html", false],
    ["2.2.3 an escaped $ is one", "Disallow: /path/foo-%24", "/path/foo-$", false],
    ["2.2.3 a $ within is one", "Disallow: /a$b", "/a$b", false],
    ["2.2.3 * and $", "Disallow: /a*.php$", "/a/b.php", false],
    ["2.2.3 * and $", "Disallow: /a*.php$", "/a/b.php5", true],
    ["2.2.3 * and $, no room for both parts", "Disallow: /aba*aba$", "/aba", true],
    ["2.2.3 * in a row", "Disallow: /***b**$", "/ab/", false],
    ["2.2.2 the file itself is always allowed", "Disallow: /", "/robots.txt", true],
    ["an empty Disallow", "Disallow:", "/page", true],
    ["brackets", "Disallow: /a[1]", "/a[1]", false],
    ["2.2.2 an apostrophe in a query, which URLs escape", "Disallow: /?by=o'neil", "/?by=o'neil", false],
    ["2.2.2 an apostrophe in a path", "Disallow: /o'neil", "/o'neil", false],
    ["2.2.2 an escaped apostrophe", "Disallow: /o%27neil", "/o'neil", false],
    ["2.2.2 an escaped apostrophe in the URL", "Disallow: /o'neil", "/o%27neil", false],
    ["a backslash is a slash in a URL", "Disallow: /a/b", "/a\\b", false],
    ["a backslash in a rule is itself", "Disallow: /a\\b", "/a/b", true],
    ["a backslash in a rule is itself", "Disallow: /a\\b", "/a%5Cb", false],
  ])("%s: %s: %s → allowed %s", (_, rules, path, expected) => {
    expect(allows(`User-agent: *\n${rules}`, path)).toBe(expected);
  });
});

describe("as they are written", () => {
  it.each([
    ["no colon", "User-agent ingather\nDisallow /a", false],
    ["misspelt keys", "Useragent: ingather\nDissalow: /a", false],
    ["a version and a comment", "User-agent: Ingather/2.0 (+https://library.example)\nDisallow: /a", false],
    ["another robot whose name begins with ours", "User-agent: ingather-news\nDisallow: /a", true],
    ["a byte-order mark and old line ends", "\uFEFFUser-agent: *\rDisallow: /a", false],
    [
      "a delay between two agents",
      "User-agent: ingather\nCrawl-delay: 2\nUser-agent: x\nDisallow: /a",
      false,
    ],
    [
      "something between two agents",
      "User-agent: *\nSitemap: https://x/\nUser-agent: y\nDisallow: /a",
      false,
    ],
    [
      "a delay, a blank line and the next agent: one group, as Google reads it",
      "User-agent: *\nCrawl-delay: 10\n\nUser-agent: x\nDisallow: /a",
      false,
    ],
    [
      "a delay, a rule, a blank line and the next agent: two groups",
      "User-agent: *\nCrawl-delay: 10\nDisallow: /b\n\nUser-agent: x\nDisallow: /a",
      true,
    ],
    ["rules before any agent", "Disallow: /a", true],
    ["an HTML page", "<!doctype html><p>Disallow: /a", true],
    ["two groups of ours", "User-agent: ingather\nDisallow: /b\n\nUser-agent: ingather\nDisallow: /a", false],
    ["nothing", "", true],
  ])("%s → allowed %s", (_, file, expected) => {
    expect(allows(file, "/a")).toBe(expected);
  });

  it("a rule that forbids → quoted with its line number", () => {
    const file = "# hello\nUser-agent: *\nCrawl-delay: 2\n\nDissalow: /admin  # secret";
    const { disallows } = readRobots(file);
    expect(disallows(new URL("/admin/x", origin))).toBe('line 5: "Dissalow: /admin  # secret"');
  });

  it.each([
    ["ours", 1500, "User-agent: *\nCrawl-delay: 9\nUser-agent: ingather\nDisallow: /a\nCrawl-delay: 1.5"],
    ["everybody's", 9000, "User-agent: *\nCrawl-delay: 9"],
    ["ours, and above another's", 2000, "User-agent: ingather\nCrawl-delay: 2\nUser-agent: x\nDisallow: /"],
    [
      "another's, below its rules",
      undefined,
      "User-agent: x\nDisallow: /\nCrawl-delay: 2\nUser-agent: *\nDisallow: /",
    ],
    ["another's, right above ours", undefined, "User-agent: x\nCrawl-delay: 2\nUser-agent: *\nDisallow: /"],
    ["nobody's", undefined, "Crawl-delay: 2\nUser-agent: *\nDisallow: /"],
    ["no number", undefined, "User-agent: *\nCrawl-delay: long"],
    ["infinite", 86_400_000, "User-agent: *\nCrawl-delay: Infinity"],
    ["beyond all numbers", 86_400_000, `User-agent: *\nCrawl-delay: ${"9".repeat(400)}`],
    ["named twice, the longer first", 9000, "User-agent: *\nCrawl-delay: 9\nCrawl-delay: 1"],
    ["named twice, the second no number", 9000, "User-agent: *\nCrawl-delay: 9\nCrawl-delay: long"],
    ["empty", undefined, "User-agent: *\nCrawl-delay:"],
    ["negative", 0, "User-agent: *\nCrawl-delay: -3"],
  ])("a Crawl-delay that is %s → %s ms", (_, expected, file) => {
    expect(readRobots(file).crawlDelayMs).toBe(expected);
  });

  it("more than 500 KiB → the rest is not read, nor the line that is cut", () => {
    const lines = `User-agent: *\n${"Disallow: /aaaaaaaaaaaaaaaa\n".repeat(20_000)}`;
    const text = robotsText(new TextEncoder().encode(lines));
    expect(text.length).toBeLessThanOrEqual(500 * 1024);
    expect(text.endsWith("/aaaaaaaaaaaaaaaa\n")).toBe(true);
    expect(robotsText(new TextEncoder().encode("Disallow: /a"))).toBe("Disallow: /a");
  });
});

describe("files that are expensive to match", () => {
  const fill = (line: (number: number) => string) => {
    let file = "User-agent: *\n";
    for (let number = 0; file.length < 500_000; number++) file += `${line(number)}\n`;
    return file;
  };
  const path = `/${"ab".repeat(4000)}`;

  it.each([
    ["many asterisks", fill(() => `Disallow: /${"*a".repeat(50)}*c`)],
    ["many short rules", fill((number) => `Disallow: *abab${number}`)],
    [
      "many agents with many rules",
      `${fill((number) => `User-agent: a${number}`)}${fill(() => "Disallow: /x")}`,
    ],
    ["a line of blanks", `User-agent: *\nDisallow${" ".repeat(500_000)}x /`],
    ["a line of asterisks", `User-agent: *\nDisallow: /${"*".repeat(500_000)}c`],
    ["a line of percent signs", `User-agent: *\nDisallow: /${"%2".repeat(250_000)}`],
  ])("%s, and a path of 8,000 characters → an answer soon", (_, file) => {
    const { disallows } = readRobots(file);
    expect(cpuMsOf(() => void disallows(new URL(path, origin)))).toBeLessThan(2500);
  });

  it("rules that are too many for the address → forbidden, and said so; a short address → as they say", () => {
    const { disallows } = readRobots(fill((number) => `Disallow: /*x${number}`));
    expect(disallows(new URL(path, origin))).toBe("which has too many rules for an address of this length");
    expect(disallows(new URL("/a", origin))).toBeUndefined();
  });
});
