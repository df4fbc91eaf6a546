import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { cssUrls } from "../../../../shared/snapshots/capture/css-urls.ts";
import { discoverLinks, mayHaveLinks } from "../../../../shared/snapshots/capture/discover-links.ts";
import { Scope } from "../../../../shared/snapshots/capture/scope.ts";

describe("cssUrls", () => {
  it.each([
    ["a { background: url(a.png) }", ["a.png"]],
    ["a { background: URL( 'a b.png' ) }", ["a b.png"]],
    ['@import "a.css"; @import url(b.css) print; @IMPORT url("c.css");', ["a.css", "b.css", "c.css"]],
    ["/* url(no.png) */ a { content: 'url(no.png)' }", []],
    ["@font-face { src: local('x'), url(a.woff2) format('woff2'), url(\"b.woff\") }", ["a.woff2", "b.woff"]],
    ["a { background: image-set('a.png' 1x, url(b.png) 2x) }", ["a.png", "b.png"]],
    ["a { background: url(a\\29 .png) }", ["a).png"]],
    ["a { background: url('a\\'b.png') }", ["a'b.png"]],
    ["a { background: url() } b { background: url('') }", []],
    ["a { background: url(unclosed", []],
    ["/* unclosed url(a.png)", []],
    ["a { content: 'one\\\ntwo' } b { background: url(x.png) }", ["x.png"]],
    ["a{background:url(a.png)}b{background:url(a.png)}", ["a.png"]],
  ])("of %j → %j", (css, urls) => {
    expect(cssUrls(css)).toEqual(urls);
  });

  it("a hostile stylesheet of 1 MB → at once", () => {
    for (const part of ["url(", "'", "/*", "\\", "url(a", "@import "]) cssUrls(part.repeat(200_000));
  });
});

const url = "http://a.example/dir/page";

function linksOf(
  body: string | Uint8Array,
  headers: Record<string, string> = { "content-type": "text/html" },
): string[] {
  const found = discoverLinks({ url, headers, body: Buffer.from(body) });
  return found.links.map((link) => `${link.hop} ${link.url.replace("http://a.example/", "/")}`);
}

describe("discoverLinks", () => {
  it.each([
    ["a link", "<a href='x#y'>", ["L /dir/x"]],
    [
      "an image in all its sources",
      "<img src=1 srcset='2 1x, 3 2x' data-src=4 data-srcset='5 9w' data-original=6>",
      ["E /dir/1", "E /dir/4", "E /dir/6", "E /dir/2", "E /dir/3", "E /dir/5"],
    ],
    [
      "picture, video, audio, track",
      "<picture><source srcset=1></picture><video poster=2 src=3><track src=4></video><audio src=5>",
      ["E /dir/1", "E /dir/3", "E /dir/2", "E /dir/4", "E /dir/5"],
    ],
    [
      "frames, objects, scripts",
      "<iframe src=1></iframe><embed src=2><object data=3></object><script src=4></script>",
      ["E /dir/1", "E /dir/2", "E /dir/3", "E /dir/4"],
    ],
    [
      "a page in an attribute, and one in that",
      "<base href=/b/><iframe srcdoc='<img src=1><a href=&quot;2&quot;>x</a><iframe srcdoc=&quot;<base href=/c/><img src=3>&quot;></iframe>' src=4></iframe><img src=5>",
      ["E /b/4", "E /b/1", "L /b/2", "E /c/3", "E /b/5"],
    ],
    [
      "link elements",
      "<link rel=stylesheet href=1><link rel='shortcut icon' href=2><link rel=preload imagesrcset='3 1x' href=4><link rel=manifest href=5><link rel=next href=6>",
      ["E /dir/1", "E /dir/2", "E /dir/3", "E /dir/4", "E /dir/5", "L /dir/6"],
    ],
    [
      "styles",
      "<style>@import '1'; a { b: url(2) }</style><p style='background: url(3)'>",
      ["E /dir/1", "E /dir/2", "E /dir/3"],
    ],
    [
      "SVG",
      "<svg><image xlink:href=1 /><use href='2#a'/><a href=3></a></svg>",
      ["E /dir/1", "E /dir/2", "L /dir/3"],
    ],
    ["the first base", "<base href='/other/'><base href='/no/'><a href=x>", ["L /other/x"]],
    [
      "meta",
      "<meta property=og:image content='/1'><meta http-equiv=Refresh content='0; URL=\"2\"'><meta name=description content='/3'>",
      ["E /1", "R /dir/2"],
    ],
    [
      "JSON-LD",
      '<script type="application/ld+json">{"image":["/1",{"url":"/2","@id":"/no"}],"url":"/no","author":{"logo":"/3"}}</script>',
      ["E /1", "E /2", "E /3"],
    ],
    ["forms", "<form action=1></form><form action=2 method=post></form>", ["L /dir/1"]],
    [
      "what is inert",
      "<template><img src=1></template><noscript><img src=2></noscript><!-- <img src=no> -->",
      ["E /dir/1", "E /dir/2"],
    ],
    ["texts that look like markup", "<script>'<img src=no>'</script><textarea><a href=no></textarea>", []],
    [
      "other schemes",
      "<a href='mailto:x@y.z'><a href='javascript:x'><img src='data:,x'><a href='http://['>",
      [],
    ],
    ["a link to a part", "<a href=x.png><img src=x.png>", ["E /dir/x.png"]],
  ])("in a page: %s", (_title, page, links) => {
    expect(linksOf(page)).toEqual(links);
  });

  it.each<[string, string, string | Uint8Array, string[]]>([
    ["a stylesheet", "text/css; charset=utf-8", "@import '1'; a { b: url(../2) }", ["E /dir/1", "E /2"]],
    [
      "a manifest",
      "application/manifest+json",
      '{"icons":[{"src":"1"},{}],"screenshots":[{"src":"/2"}]}',
      ["E /dir/1", "E /2"],
    ],
    ["JSON that is not a manifest", "application/json", "null", []],
    [
      "an SVG",
      "image/svg+xml",
      "<svg xmlns='x'><image href='1'/><style>a { b: url(2) }</style></svg>",
      ["E /dir/1", "E /dir/2"],
    ],
    ["a sitemap", "application/xml", "<urlset><url><loc>http://a.example/1</loc></url></urlset>", ["L /1"]],
    [
      "a packed sitemap",
      "application/x-gzip",
      gzipSync("<urlset><url><loc>/1</loc></url></urlset>"),
      ["L /1"],
    ],
    ["XML that is not a sitemap", "text/xml", "<html><a href='1'/></html>", ["L /dir/1"]],
    ["a page without a type", "", "<a href=1>", ["L /dir/1"]],
    ["an image", "image/png", "<a href=1>", []],
  ])("in %s", (_title, contentType, body, links) => {
    expect(linksOf(body, { "content-type": contentType })).toEqual(links);
  });

  it("in headers → Location and Link", () => {
    expect(linksOf("", { location: "/1\n/2", link: '</3>; rel="preload"; as=font, <4>; rel=next' })).toEqual([
      "R /1",
      "E /3",
      "L /dir/4",
    ]);
  });

  it("in a robots.txt → its sitemaps", () => {
    const body = Buffer.from("User-agent: *\nSitemap: http://a.example/s.xml\n");
    const headers = { "content-type": "text/plain" };
    expect(discoverLinks({ url: "http://a.example/robots.txt", headers, body })).toEqual({
      links: [{ url: "http://a.example/s.xml", hop: "M" }],
      dropped: 0,
    });
    expect(discoverLinks({ url: "http://a.example/a.txt", headers, body }).links).toEqual([]);
  });

  it("more links than are taken of a resource, some twice → the others are counted", () => {
    const links = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => `<a href=/${from + n}>x</a>`).join("");
    const frame = `<iframe srcdoc="${links(60_000, 7)}"></iframe>`;
    const body = Buffer.from(links(0, 50_003) + links(0, 10) + frame);
    const found = discoverLinks({ url, headers: { "content-type": "text/html" }, body });
    expect([found.links.length, found.dropped]).toEqual([50_000, 10]);
  });

  it("bodies of other types → not worth being held", () => {
    const types = [
      "text/html; charset=x",
      "text/css",
      undefined,
      "image/png",
      "application/pdf",
      "video/mp4",
    ];
    expect(types.map(mayHaveLinks)).toEqual([true, true, true, false, false, false]);
  });
});

describe("Scope", () => {
  const scope = new Scope({ seeds: ["http://www.a.example/", "https://b.example/x"], maxDepth: 2 });
  const link = (target: string) => ({ url: target, hop: "L" as const });
  const embed = (target: string) => ({ url: target, hop: "E" as const });

  it.each([
    [link("http://a.example/1"), "", "L"],
    [link("http://other.a.example/1"), "L", "LL"],
    [link("http://a.example/1"), "LRLE", undefined],
    [link("http://c.example/1"), "", undefined],
    [embed("http://cdn.example/x.css"), "LL", "LLE"],
    [embed("http://cdn.example/x.woff"), "LLEEEEE", undefined],
    [{ url: "http://c.example/", hop: "R" as const }, "L", "LR"],
    [{ url: "http://c.example/", hop: "R" as const }, "R".repeat(20), undefined],
    [link(`http://a.example/${"x/y/".repeat(3)}`), "", undefined],
    [link(`http://a.example/${Array.from({ length: 21 }, (_, n) => n).join("/")}`), "", undefined],
    [link("http://a.example/x/y/x/z"), "", "L"],
  ])("%j found after %j → %j", (found, hops, result) => {
    expect(scope.pathTo(found, hops)).toEqual(result);
  });
});
