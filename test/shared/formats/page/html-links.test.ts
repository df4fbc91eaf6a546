import { describe, expect, it } from "vitest";
import { findLinks } from "../../../../shared/formats/page/html-links.ts";
import { chooseLinks } from "../../../../shared/harvest/crawl/choose-links.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { siteOf } from "../../../../shared/web/address/site.ts";

describe("siteOf", () => {
  it.each([
    ["https://www.journal.example/a", "journal.example"],
    ["https://archive.journal.example./a", "journal.example"],
    ["http://journal.example:8080/", "journal.example"],
    ["https://seer.univ.edu.br/index.php", "univ.edu.br"],
    ["https://www.press.co.uk/", "press.co.uk"],
    ["https://library.univ.go.jp/", "univ.go.jp"],
    ["https://journal.gouv.fr/", "journal.gouv.fr"],
    ["https://a.github.io/toc", "a.github.io"],
    ["https://b.github.io/toc", "b.github.io"],
    ["https://github.io/", "github.io"],
    ["http://localhost:80/", "localhost"],
    ["http://127.0.0.1:8088/", "127.0.0.1"],
    ["http://[2001:db8::1]/", "[2001:db8::1]"],
  ])("%s → %s", (url, site) => {
    expect(siteOf(new URL(url))).toBe(site);
  });
});

describe("linksOf", () => {
  const url = "https://j.example/issue/1";

  it.each<[string, string, string[]]>([
    [
      "a, area, frame, iframe",
      '<a href="/1"><area href="2"><frame src="3"><iframe src="/4"></iframe>',
      ["/1", "/issue/2", "/issue/3", "/4"],
    ],
    ["a base", '<base href="/b/"><a href="1">', ["/b/1"]],
    ["a second base", '<base href="/b/"><base href="/c/"><a href="1">', ["/b/1"]],
    ["fragments and repetitions", '<a href="/1#a"><a href="/1#b"><a href="#c">', ["/1", "/issue/1"]],
    ["entities", '<a href="/1?a=1&amp;b=2">', ["/1?a=1&b=2"]],
    [
      "what is not a page of the web",
      '<a href="mailto:a@b.example"><a href="javascript:x()"><a name="y"><img src="/p.png">',
      [],
    ],
    ["upper case", '<A HREF="/1">', ["/1"]],
    ["links in scripts and comments", '<script>"<a href=/1>"</script><!-- <a href="/2"> -->', []],
  ])("%s", (_what, page, paths) => {
    expect(findLinks(page, url).map(({ href }) => href)).toEqual(
      paths.map((path) => `https://j.example${path}`),
    );
  });
});

describe("chooseLinks", () => {
  const links = [
    "/a/1",
    "/issue/2",
    "/p.pdf?x=1",
    "/s.css",
    "/i.PNG",
    "https://other.example/a/3",
    "https://www.j.example/a/4",
  ].map((path) => new URL(path, "https://j.example/"));
  const choose = (crawl: object, site: string | undefined) => {
    const { harvest, follow } = chooseLinks(
      links,
      site,
      source.parse({
        sourceId: "s",
        title: "S",
        type: "CRAWL",
        url: "https://j.example/",
        groupId: "G",
        crawl,
      }),
    );
    const short = (urls: string[]) => urls.map((url) => url.replace("https://j.example", ""));
    return { harvest: short(harvest), follow: short(follow) };
  };
  const pages = ["/a/1", "/issue/2", "https://www.j.example/a/4"];

  it.each<[string, object, { harvest: string[]; follow: string[] }]>([
    ["no expression → all pages of the site", {}, { harvest: pages, follow: pages }],
    [
      "an extraction expression → what it matches; the rest is followed",
      { extractionRegex: "/a/" },
      { harvest: ["/a/1", "https://www.j.example/a/4"], follow: ["/issue/2"] },
    ],
    [
      "one that names files → files",
      { extractionRegex: "(?i)\\.pdf" },
      { harvest: ["/p.pdf?x=1"], follow: pages },
    ],
    [
      "both, of which both match an article → it is followed, too",
      { extractionRegex: "/a/", urlRegex: "/a/1" },
      { harvest: ["/a/1", "https://www.j.example/a/4"], follow: ["/a/1"] },
    ],
    [
      "a crawl expression → what it matches, but for files",
      { urlRegex: "issue|pdf" },
      { harvest: pages, follow: ["/issue/2"] },
    ],
  ])("%s", (_title, crawl, chosen) => {
    expect(choose(crawl, "j.example")).toEqual(chosen);
  });

  it("any site → links elsewhere too", () => {
    expect(choose({ extractionRegex: "/a/3" }, undefined).harvest).toEqual(["https://other.example/a/3"]);
  });
});
