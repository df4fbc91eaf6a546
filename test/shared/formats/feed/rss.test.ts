import { describe, expect, test } from "vitest";
import { firstEntry, rdf, readAsFeed, rss } from "./feeds.ts";

describe("the format", () => {
  const item = "<item><title>A</title><link>https://a.example/1</link></item>";
  const inNamespace = (namespace: string) =>
    `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="${namespace}"><channel/>${item}</r:RDF>`;
  test.each([
    ["<rss version 0.91>", `<rss version="0.91"><channel>${item}</channel></rss>`, "rss-0.9x"],
    ["<rss version 0.92>", `<rss version="0.92"><channel>${item}</channel></rss>`, "rss-0.9x"],
    ["<rss version 2.0>", `<rss version="2.0"><channel>${item}</channel></rss>`, "rss-2.0"],
    ["<rss> without a version", `<rss><channel>${item}</channel></rss>`, "rss-2.0"],
    ["<rss> in a namespace of its own", `<rss xmlns="urn:mine"><channel>${item}</channel></rss>`, "rss-2.0"],
    ["<rss> with its items beside the channel", `<rss><channel/>${item}</rss>`, "rss-2.0"],
    ["RDF of RSS 0.90", inNamespace("http://my.netscape.com/rdf/simple/0.9/"), "rss-0.9x"],
    [
      "RDF of RSS 0.90, as Netscape's channels",
      inNamespace("http://channel.netscape.com/rdf/simple/0.9/"),
      "rss-0.9x",
    ],
    ["RDF of RSS 1.0", inNamespace("http://purl.org/rss/1.0/"), "rss-1.0"],
    ["RDF of RSS 1.0, https and no slash", inNamespace("https://purl.org/rss/1.0"), "rss-1.0"],
  ])("%s → its item under its format", (_, body, format) => {
    expect(readAsFeed(body)).toMatchObject({ format, lenient: false, entries: [{ title: "A" }] });
  });
});

describe("an article's address", () => {
  const link = "<link>https://a.example/link</link>";
  test.each([
    ["a link", link, "https://a.example/link"],
    ["a relative link", "<link>../article/1</link>", "https://journal.example.org/article/1"],
    ["an unescaped blank", "<link>https://a.example/a b</link>", "https://a.example/a%20b"],
    [
      "a link to another scheme, a guid",
      "<link>ftp://a.example/</link><guid>https://a.example/g</guid>",
      "https://a.example/g",
    ],
    ["a link and a guid", `<guid>https://a.example/guid</guid>${link}`, "https://a.example/link"],
    ["an empty link and a guid", "<link/><guid>https://a.example/guid</guid>", "https://a.example/guid"],
    [
      "FeedBurner's counter and the original",
      `${link}<fb:origLink>https://a.example/o</fb:origLink>`,
      "https://a.example/o",
    ],
    ["an Atom link", '<atom:link href="https://a.example/atom"/>', "https://a.example/atom"],
    ["dc:identifier alone", "<dc:identifier>https://a.example/id</dc:identifier>", "https://a.example/id"],
    ["a DOI alone", "<dc:identifier>doi:10.5555/a&lt;b&gt;</dc:identifier>", "https://doi.org/10.5555/a"],
  ])("%s → that one counts", (_, children, url) => {
    expect(firstEntry(rss(`<item>${children}</item>`)).url).toBe(url);
  });

  test("xml:base on the feed and on the item → the nearer one counts", () => {
    const items = '<item xml:base="first/"><link>1</link></item><item><link>2</link></item>';
    const { entries } = readAsFeed(rss(items, "", 'xml:base="https://b.example/base/"'));
    expect(entries.map(({ url }) => url)).toEqual([
      "https://b.example/base/first/1",
      "https://b.example/base/2",
    ]);
  });

  test.each([
    ["no link at all", "<title>Lost</title>", "no URL and no DOI: Lost"],
    [
      "a guid that is not a permalink",
      '<guid isPermaLink="false">https://a.example/1</guid>',
      "no URL and no DOI: https://a.example/1",
    ],
    ["a guid that is a word", "<guid>abc-17</guid>", "no URL and no DOI: abc-17"],
  ])("%s → dropped with the reason, the others stay", (_, children, reason) => {
    const reading = readAsFeed(rss(`<item>${link}</item><item>${children}</item><item>${link}</item>`));
    expect(reading.entries).toHaveLength(2);
    expect(reading.dropped).toEqual([{ index: 1, reason }]);
  });
});

describe("an article's identifier", () => {
  test.each([
    ["a guid", '<item><guid isPermaLink="false">x-1</guid><link>https://a.example/1</link></item>', "x-1"],
    ["no guid", "<item><link>https://a.example/1</link></item>", "https://a.example/1"],
  ])("RSS 2.0, %s → it, else the URL", (_, item, id) => {
    expect(firstEntry(rss(item)).id).toBe(id);
  });

  test("RSS 1.0 → rdf:about", () => {
    expect(firstEntry(rdf('<item rdf:about="urn:x:1"><link>https://a.example/1</link></item>')).id).toBe(
      "urn:x:1",
    );
  });
});

describe("text", () => {
  test.each([
    [
      "escaped HTML",
      "&lt;p&gt;&lt;em&gt;Bombus&lt;/em&gt; in H&lt;sub&gt;2&lt;/sub&gt;O&lt;/p&gt;",
      "Bombus in H2O",
    ],
    ["HTML in CDATA", "<![CDATA[<i>Bombus</i>&nbsp;&amp; co.]]>", "Bombus & co."],
    ["HTML as elements", "<i>Bombus</i> lucorum", "Bombus lucorum"],
    ["a comparison", "p &lt; 0.05 and r > 0.1", "p < 0.05 and r > 0.1"],
    ["line breaks", "Bombus\n   lucorum&lt;br/&gt;and others", "Bombus lucorum and others"],
    ["control characters from windows-1252", "don&#146;t &#150; ever", "don’t – ever"],
  ])("a title with %s → plain", (_, title, plain) => {
    expect(firstEntry(rss(`<item><title>${title}</title><link>/1</link></item>`)).title).toBe(plain);
  });
});

describe("an article's description", () => {
  test("PRISM and Dublin Core under other prefixes → every field, all creators, the journal's from the channel", () => {
    const item = `<item rdf:about="https://a.example/1"><title>On bees</title><link>https://a.example/1</link>
      <description>Abstract</description><d:creator>Zhang, Kai</d:creator><d:creator>Guo, Weihua</d:creator>
      <d:date>2021-11-23</d:date><d:subject>Bees</d:subject><d:subject>Wasps</d:subject><pr:keyword>Bees</pr:keyword>
      <pr:volume>12</pr:volume><pr:number>3</pr:number><pr:startingPage>i</pr:startingPage>
      <pr:endingPage>xii</pr:endingPage><pr:pageRange>i-xii</pr:pageRange><pr:section>Reviews</pr:section>
      <pr:doi>10.5555/bees.1</pr:doi></item>`;
    const channel = `<pr:publicationName>Bee Letters</pr:publicationName><pr:issn>1234-5679</pr:issn>
      <pr:eIssn>8765-4321</pr:eIssn><d:language>en</d:language>`;
    expect(firstEntry(rdf(item, channel))).toEqual({
      id: "https://a.example/1",
      url: "https://a.example/1",
      title: "On bees",
      published: "2021-11-23",
      publishedIso: "2021-11-23",
      creators: ["Zhang, Kai", "Guo, Weihua"],
      keywords: ["Bees", "Wasps"],
      volume: "12",
      issue: "3",
      startingPage: "i",
      endingPage: "xii",
      pages: "i-xii",
      section: "Reviews",
      doi: "10.5555/bees.1",
      publicationName: "Bee Letters",
      issn: "1234-5679",
      eissn: "8765-4321",
      language: "en",
    });
  });

  test.each([
    "http://prismstandard.org/namespaces/1.2/basic/",
    "http://prismstandard.org/namespaces/basic/2.0/",
    "http://prismstandard.org/namespaces/basic/2.1/",
    "http://prismstandard.org/namespaces/basic/3.0/",
    "https://prismstandard.org/namespaces/basic/3.0",
    "http://purl.org/rss/1.0/modules/prism/",
  ])("PRISM as %s → read", (namespace) => {
    const item = `<item xmlns:p="${namespace}"><link>/1</link><p:eissn>1</p:eissn><p:number>2</p:number></item>`;
    expect(firstEntry(rss(item))).toMatchObject({ eissn: "1", issue: "2" });
  });

  test.each([
    ["an e-mail with a name", "<author>ada@a.example (Ada Lovelace)</author>", ["Ada Lovelace"]],
    ["a bare name", "<author>Ada Lovelace</author>", ["Ada Lovelace"]],
    [
      "both, the same person twice",
      "<author>a@a.example (Ada)</author><dc:creator>Lovelace, Ada</dc:creator>",
      ["Lovelace, Ada"],
    ],
    ["nobody", "", []],
  ])("authors: %s → the creators", (_, authors, creators) => {
    expect(firstEntry(rss(`<item><link>/1</link>${authors}</item>`)).creators).toEqual(creators);
  });

  test("creators as an RDF list → one by one", () => {
    const list = "<d:creator><rdf:Seq><rdf:li>A</rdf:li><rdf:li>B</rdf:li></rdf:Seq></d:creator>";
    expect(firstEntry(rdf(`<item rdf:about="https://a.example/1">${list}</item>`)).creators).toEqual([
      "A",
      "B",
    ]);
  });

  test.each([
    [
      "pubDate and dc:date",
      "<dc:date>2020-01-01</dc:date><pubDate>Tue, 23 Nov 2021 06:00:00 -0500</pubDate>",
      "Tue, 23 Nov 2021 06:00:00 -0500",
      "2021-11-23T06:00:00-05:00",
    ],
    [
      "an unreadable one and a good one",
      "<pubDate>Seg, 24 Set 2018</pubDate><dc:date>2018-09-24</dc:date>",
      "2018-09-24",
      "2018-09-24",
    ],
    ["an unreadable one alone", "<pubDate>Seg, 24 Set 2018</pubDate>", "Seg, 24 Set 2018", undefined],
    ["no date", "", undefined, undefined],
  ])("dates: %s → the entry counts", (_, dates, published, publishedIso) => {
    expect(firstEntry(rss(`<item><link>/1</link>${dates}</item>`))).toMatchObject({
      published,
      publishedIso,
    });
  });
});

describe("the channel", () => {
  test("title, language and the link to the next page, after the items → read all the same", () => {
    const trailing = `<item><link>/1</link></item><language>de</language>
      <atom:link rel="self" href="/feed"/><atom:link rel="next" href="?page=2"/>`;
    expect(readAsFeed(rss(trailing))).toMatchObject({
      title: "Journal",
      nextPageUrl: "https://journal.example.org/feeds/current.xml?page=2",
      entries: [{ language: "de" }],
    });
  });
});
