import { describe, expect, test } from "vitest";
import { atom, firstEntry, readAsFeed } from "./feeds.ts";

const link = '<link href="https://a.example/1"/>';

test("Atom 1.0 → every field of the entry", () => {
  const entry = `<entry xml:lang="fr"><id>tag:a.example,2021:1</id>${link}<title>On bees</title>
    <published>2021-01-02T03:04:05Z</published><updated>2021-11-24T02:34:50+0900</updated><summary>Abstract</summary>
    <author><name>Ada Lovelace</name><email>ada@a.example</email></author><author><name>Alan Turing</name></author>
    <category term="b" label="Bees"/><category term="Wasps"/></entry>`;
  expect(readAsFeed(atom(entry))).toEqual({
    type: "feed",
    format: "atom-1.0",
    title: "Journal",
    lenient: false,
    dropped: [],
    entries: [
      {
        id: "tag:a.example,2021:1",
        url: "https://a.example/1",
        title: "On bees",
        published: "2021-01-02T03:04:05Z",
        publishedIso: "2021-01-02T03:04:05Z",
        updated: "2021-11-24T02:34:50+0900",
        updatedIso: "2021-11-24T02:34:50+09:00",
        creators: ["Ada Lovelace", "Alan Turing"],
        keywords: ["Bees", "Wasps"],
        language: "fr",
      },
    ],
  });
});

test("Atom 0.3 → its own dates and text modes", () => {
  const body = `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Journal</title><entry>
    <title type="text/html" mode="escaped">On &lt;i&gt;bees&lt;/i&gt;</title><link rel="alternate" href="/1"/>
    <id>x:1</id><issued>2004-05-06</issued><modified>2004-05-07</modified></entry></feed>`;
  expect(readAsFeed(body)).toMatchObject({
    format: "atom-0.3",
    entries: [{ title: "On bees", publishedIso: "2004-05-06", updatedIso: "2004-05-07" }],
  });
});

test("prefixed elements in other default namespaces → the same feed", () => {
  const body = `<a:feed xmlns:a="http://www.w3.org/2005/Atom" xmlns="http://www.w3.org/1999/xhtml">
    <a:entry><title>not it</title><a:title>it</a:title><a:link href="/1"/></a:entry></a:feed>`;
  expect(firstEntry(body)).toMatchObject({ title: "it", url: "https://journal.example.org/1" });
});

describe("an article's address", () => {
  test.each([
    ["no rel", link, "https://a.example/1"],
    [
      "rel=self before rel=alternate",
      `<link rel="self" href="/self"/><link rel="alternate" href="/page"/>`,
      "https://journal.example.org/page",
    ],
    [
      "a PDF before the page",
      `<link type="application/pdf" href="/pdf"/><link type="text/html" href="/page"/>`,
      "https://journal.example.org/page",
    ],
    ["a PDF alone", `<link type="application/pdf" href="/pdf"/>`, "https://journal.example.org/pdf"],
    ["xml:base on the link", `<link xml:base="https://b.example/x/" href="1"/>`, "https://b.example/x/1"],
    ["no link, a web address as id", "<id>https://a.example/id</id>", "https://a.example/id"],
    ["content elsewhere", '<id>x:1</id><content src="/full.html"/>', "https://journal.example.org/full.html"],
    ["no link, a DOI as id", "<id>info:doi/10.5555/1</id>", "https://doi.org/10.5555/1"],
  ])("%s → resolved", (_, children, url) => {
    expect(firstEntry(atom(`<entry>${children}</entry>`)).url).toBe(url);
  });

  test.each([
    ["a tag URI", '<link href="tag:a.example,2024:1"/><id>tag:a.example,2024:1</id>'],
    ["rel=self alone", '<link rel="self" href="/entry/1"/><id>urn:uuid:1</id>'],
    ["nothing", ""],
  ])("%s → dropped", (_, children) => {
    const reading = readAsFeed(atom(`<entry>${children}</entry>`));
    expect(reading).toMatchObject({ entries: [], dropped: [{ index: 0 }] });
  });
});

describe("text constructs", () => {
  test.each([
    ["no type", "<title>A &lt;b&gt; c</title>", "A <b> c"],
    ["type text", '<title type="text">A &lt;b&gt; c</title>', "A <b> c"],
    ["type html", '<title type="html">A &lt;b&gt;c&lt;/b&gt; &amp;amp; d</title>', "A c & d"],
    [
      "type xhtml",
      '<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <b>c</b></div></title>',
      "A c",
    ],
  ])("%s → stripped as it says", (_, title, plain) => {
    expect(firstEntry(atom(`<entry>${title}${link}</entry>`)).title).toBe(plain);
  });

  test("the feed's own title as xhtml → its text", () => {
    const body = `<feed xmlns="http://www.w3.org/2005/Atom"><title type="xhtml"><div>A <b>c</b></div></title></feed>`;
    expect(readAsFeed(body).title).toBe("A c");
  });
});

describe("authors", () => {
  const feedAuthor = "<author><name>The Publisher</name></author>";
  test.each([
    ["the entry's", "<author><name>Ada</name></author>", ["Ada"]],
    [
      "dc:creator beside them",
      "<author><name>Ada</name></author><dc:creator>Lovelace, Ada</dc:creator>",
      ["Lovelace, Ada"],
    ],
    ["the source's", "<source><author><name>Alan</name></author></source>", ["Alan"]],
    ["the feed's alone", "", []],
  ])("%s → the creators, never the publisher", (_, children, creators) => {
    expect(firstEntry(atom(`<entry>${link}${children}</entry>`, feedAuthor)).creators).toEqual(creators);
  });
});

test("a link to the next page → nextPageUrl, resolved against the feed's base", () => {
  const head = '<link rel="self" href="feed"/><link rel="next" href="feed?page=2"/>';
  expect(readAsFeed(atom("", head, 'xml:base="https://b.example/"')).nextPageUrl).toBe(
    "https://b.example/feed?page=2",
  );
});
