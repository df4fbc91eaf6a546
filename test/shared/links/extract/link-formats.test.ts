import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { pagesLinkedFrom } from "../../../../shared/links/extract/html-links.ts";
import {
  detectLinkFormat,
  type LinkFormatName,
  linkReaderOf,
} from "../../../../shared/links/extract/link-formats.ts";
import { writeIso2709 } from "../../../../shared/marc/iso2709-writer.ts";

const bytes = (content: string | Uint8Array) =>
  typeof content === "string" ? new TextEncoder().encode(content) : content;

/** The links as `line:column url`, with the record of a MARC file. */
async function linksOf(
  format: LinkFormatName,
  content: string | Uint8Array,
  base?: string,
): Promise<string[]> {
  const read = await linkReaderOf(format);
  const reading = read(bytes(content), { base });
  if (reading.type === "unreadable") return [`unreadable: ${reading.detail}`];
  const lines = reading.links.map(
    ({ url, line, column, record, isSitemap }) =>
      `${line}:${column} ${url}${record === undefined ? "" : ` of ${record}`}${isSitemap ? " (sitemap)" : ""}`,
  );
  return reading.unresolved === 0 ? lines : [...lines, `${reading.unresolved} unresolved`];
}

const record = (controlNumber: string, urls: string[]) => ({
  leader: "00000nam a2200000 i 4500",
  control: [["001", controlNumber] as [string, string]],
  fields: urls.map((url) => ["856", "40", [["u", url]]] as [string, string, [string, string][]]),
});

function written(each: ReturnType<typeof record>): Uint8Array {
  const outcome = writeIso2709(each);
  return outcome.type === "written" ? outcome.bytes : new Uint8Array();
}

describe("links of a file, with line and column", () => {
  it.each<[title: string, format: LinkFormatName, content: string | Uint8Array, expected: string[]]>([
    [
      "a list",
      "list",
      "# all\n\n  http://a.example/x\r\nmailto:a@b.example\n",
      ["3:3 http://a.example/x", "4:1 mailto:a@b.example"],
    ],
    [
      "a list with one wrong line",
      "list",
      "http://a.example/\nhttp://b.example/\nwww.c.example\n",
      ["1:1 http://a.example/", "2:1 http://b.example/", "3:1 www.c.example"],
    ],
    [
      "a text that is not a list",
      "list",
      "Dear all,\nsee http://a.example/\n",
      ["unreadable: is not a list of links: line 1 is not a URL: Dear all,"],
    ],
    [
      "JSON in one line",
      "list",
      '{"url": "http://a.example/"}',
      ['unreadable: is not a list of links: line 1 is not a URL: {"url": "http://a.example/"}'],
    ],
    [
      "bytes that are not text",
      "list",
      new Uint8Array([0x89, 0x50, 0, 1]),
      ["unreadable: is not text: it has zero bytes"],
    ],
    [
      "HTML",
      "html",
      '<p>\n <a\n  href="http://a.example/x#y">x</a><img src=//b.example/i.png><a href="/rel">',
      ["3:3 http://a.example/x#y", "2 unresolved"],
    ],
    [
      "HTML with a base element",
      "html",
      '<base href="http://a.example/d/"><a href=e>e</a><a href="mailto:x@y">m</a>',
      ["1:37 http://a.example/d/e"],
    ],
    [
      "HTML: a srcset, a comment, a script",
      "html",
      '<img srcset="http://a.example/1,http://a.example/2 2x"><!-- <a href="http://no.example"> --><script src="http://a.example/s">"<a href=http://no.example>"</script>',
      ["1:6 http://a.example/1,http://a.example/2", "1:101 http://a.example/s"],
    ],
    [
      "HTML: a srcset whose first candidate has no descriptor",
      "html",
      '<img srcset="http://a.example/1, http://a.example/2 2x">',
      ["1:6 http://a.example/1", "1:6 http://a.example/2"],
    ],
    [
      "HTML: a hint about a host is not a link",
      "html",
      '<link rel="preconnect" href="http://a.example"><link rel=icon href="http://a.example/i">',
      ["1:63 http://a.example/i"],
    ],
    ["HTML: credentials go", "html", '<a href="http://bob:pw@a.example/">x</a>', ["1:4 http://a.example/"]],
    [
      "Markdown",
      "markdown",
      "# T\n[a](http://a.example/a \"t\"), http://b.example/b. `http://no.example`\n\n[r]: http://c.example/c\n\n    http://no.example\n\n<http://d.example/d>\n\n<a\nhref='http://e.example/e'>\n[rel](other.md)",
      [
        "2:1 http://a.example/a",
        "2:30 http://b.example/b",
        "4:1 http://c.example/c",
        "8:1 http://d.example/d",
        "11:1 http://e.example/e",
        "1 unresolved",
      ],
    ],
    [
      "Markdown: a table and a relative image",
      "markdown",
      "| a |\n|---|\n| http://a.example/1 |\n\n![i](i.png)",
      ["3:3 http://a.example/1", "1 unresolved"],
    ],
    [
      "CSV",
      "csv",
      'id;url\n1;http://a.example/a,b\n2;"see http://b.example/ and\nhttp://c.example/"";"\n',
      ["2:3 http://a.example/a,b", "3:8 http://b.example/", "4:1 http://c.example/"],
    ],
    ["CSV whose quote never ends", "csv", 'a,"http://a.example/\n', ["1:4 http://a.example/"]],
    [
      "a sitemap",
      "sitemap",
      '\n<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="urn:i"><url><loc> http://a.example/?a=1&amp;b=2 </loc><i:image><i:loc>http://a.example/i</i:loc></i:image></url></urlset>',
      ["3:87 http://a.example/?a=1&b=2"],
    ],
    [
      "a gzipped index",
      "sitemap",
      gzipSync("<sitemapindex><sitemap><loc>http://a.example/s.gz</loc></sitemap></sitemapindex>"),
      ["1:29 http://a.example/s.gz (sitemap)"],
    ],
    [
      "a broken sitemap",
      "sitemap",
      "<urlset><url>",
      ["unreadable: is not a sitemap: 1:13: unclosed tag: url"],
    ],
    [
      "MARCXML",
      "marcxml",
      '<collection xmlns="http://www.loc.gov/MARC21/slim"><record><controlfield tag="001">R1</controlfield>\n<datafield tag="856" ind1="4" ind2="0"><subfield code="u">http://a.example/?a&amp;b</subfield><subfield code="z">http://no.example</subfield></datafield><datafield tag="787"><subfield code="u">http://no.example</subfield></datafield></record><record><datafield tag="856"><subfield code="u">http://b.example/</subfield></datafield></record></collection>',
      ["2:59 http://a.example/?a&b of R1", "2:291 http://b.example/ of 2"],
    ],
    [
      "ISO 2709",
      "iso2709",
      Buffer.concat(
        [record("R1", ["http://a.example/ü", "http://b.example/"]), record("R2", [])].map(written),
      ),
      ["1:69 http://a.example/%C3%BC of R1", "1:93 http://b.example/ of R1"],
    ],
    [
      "ISO 2709 that ends at once",
      "iso2709",
      "00714cam a2200205 a 4500",
      ["unreadable: has no ISO 2709 record"],
    ],
  ])("%s", async (_title, format, content, expected) => {
    expect(await linksOf(format, content)).toEqual(expected);
  });

  it("a base → relative links are relative to it", async () => {
    expect(await linksOf("html", '<a href="../x#y">', "http://a.example/d/e/")).toEqual([
      "1:4 http://a.example/d/x#y",
    ]);
    expect(await linksOf("markdown", "[x](x)", "http://a.example/")).toEqual(["1:1 http://a.example/x"]);
  });
});

it.each<[name: string, content: string | Uint8Array, format: LinkFormatName]>([
  ["links.txt", "http://a.example/", "list"],
  ["-", "\ufeff \n<!DOCTYPE HTML><html>", "html"],
  ["page.HTM", "<p>", "html"],
  ["README.md", "# x", "markdown"],
  ["x.csv", "a,b", "csv"],
  ["x.xml.gz", gzipSync("<urlset>"), "sitemap"],
  ["x.xml", '<?xml version="1.0"?><sitemapindex xmlns="x">', "sitemap"],
  ["x.xml", '<marc:collection xmlns:marc="http://www.loc.gov/MARC21/slim">', "marcxml"],
  ["x.dat", "00714cam a2200205 a 4500", "iso2709"],
  ["x.mrc", "broken", "iso2709"],
])("%s that begins with %s → %s", (name, content, format) => {
  expect(detectLinkFormat(bytes(content), name)).toBe(format);
});

it("pages that a page links to → without images and fragments, each once", () => {
  const page =
    '<base href="/d/"><a href="x#1"><a href="x#2"><img src=i><area href="//b.example/"><a href="ftp://c/">';
  expect([...pagesLinkedFrom(bytes(page), "http://a.example/p", undefined)]).toEqual([
    "http://a.example/d/x",
    "http://b.example/",
  ]);
});

describe("hostile files end in time", () => {
  const mib = 1024 * 1024;
  it.each<[title: string, format: LinkFormatName, content: string | Uint8Array]>([
    ["open brackets", "markdown", "[".repeat(50_000)],
    ["emphasis", "markdown", "*a_".repeat(50_000)],
    ["nested quotes", "markdown", `${"> ".repeat(50_000)}a`],
    ["nested lists", "markdown", `${"- ".repeat(50_000)}a`],
    ["links within links", "markdown", "[a](".repeat(20_000)],
    ["references within links", "markdown", "[a][".repeat(9000)],
    ["underlines", "markdown", "a\n=\n".repeat(20_000)],
    ["backquotes", "markdown", Array.from({ length: 300 }, (_, n) => "`".repeat(n)).join(" ")],
    ["open tags", "html", "<a ".repeat(300_000)],
    ["unclosed elements", "html", "<b><p>".repeat(100_000)],
    ["an attribute that never ends", "html", `<a href="${"x".repeat(5 * mib)}`],
    ["a srcset of commas", "html", `<img srcset="${", ".repeat(mib)}">`],
    ["quotes", "csv", '"'.repeat(mib)],
    ["quotes apart", "csv", '",'.repeat(mib)],
    ["one long line", "list", "x".repeat(5 * mib)],
    ["deep XML", "marcxml", "<a>".repeat(200_000)],
    ["a bomb", "sitemap", gzipSync(Buffer.alloc(200 * mib))],
    ["entities", "sitemap", '<!DOCTYPE x [<!ENTITY a "&a;&a;">]><urlset><url><loc>&a;</loc></url></urlset>'],
    ["record ends", "iso2709", "\x1d".repeat(mib)],
    [
      "fields that lie about their place",
      "iso2709",
      `00714cam a2200205 a 4500${"856999999999".repeat(5000)}\x1e\x1d`,
    ],
  ])("%s", async (_title, format, content) => {
    expect(await linksOf(format, content)).toEqual(expect.any(Array));
  });
});
