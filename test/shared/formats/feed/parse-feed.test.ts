import { describe, expect, test } from "vitest";
import { cpuMsOf } from "../../../cpu-time.ts";
import { atom, firstEntry, rdf, read, readAsFeed, rss } from "./feeds.ts";

const item = (title: string) => `<item><title>${title}</title><link>https://a.example/1</link></item>`;
const whole = rss(item("A") + item("B"));

describe("a faulty feed that can be mended", () => {
  test.each([
    ["a blank line before the declaration", `\n${whole}`, "A", /line 2: an XML declaration/],
    ["a comment before the declaration", `<!-- cached -->${whole}`, "A", /declaration/],
    [
      "a warning before the declaration",
      `<br />\n<b>Warning</b>: mysql in line 3<br />\n${whole}`,
      "A",
      /line/,
    ],
    [
      "a warning after the declaration",
      whole.replace("?>", "?>Notice: x in line 3"),
      "A",
      /text data outside/,
    ],
    ["text after the end", `${whole}\n<!-- ok --><script src="x"></script> & more`, "A", /line/],
    ["a bare & in the text", rss(item("A & B")), "A & B", /line 4: a "&" that is not escaped/],
    ["a bare & before other references", rss(item("A&B &lt; C")), "A&B < C", /line 4/],
    [
      "HTML's named entities",
      rss(item("Zo&euml;&nbsp;&ndash; &Uuml;")),
      "Zoë – Ü",
      /line 4: undefined entity/,
    ],
    ["an entity that nobody knows", rss(item("A &lol9; B")), "A &lol9; B", /undefined entity/],
    ["a control character", rss(item("A\u000bB")), "AB", /disallowed character/],
    ["a reference to a control character", rss(item("A&#x1F;B&#0;")), "AB\ufffd", /malformed|character/],
    [
      "a prefix that is not declared",
      `<rss><channel>${item("A")}<itunes:x/></channel></rss>`,
      "A",
      /itunes:x is not declared/,
    ],
    [
      "an attribute's prefix that is not declared",
      `<rss><channel x:y="">${item("A")}</channel></rss>`,
      "A",
      /x:y is not declared/,
    ],
    [
      "upper-case RSS",
      `<RSS VERSION="2.0"><CHANNEL><ITEM><TITLE>A</TITLE><LINK>https://a.example/1</LINK></ITEM></CHANNEL></RSS>`,
      "A",
      /^<RSS> should be <rss>$/,
    ],
    [
      "Atom in no namespace",
      `<feed><entry><title>A</title><link href="https://a.example/1"/></entry></feed>`,
      "A",
      /^<feed> is in no namespace$/,
    ],
    [
      "Atom in no namespace with a bare &",
      `<feed><entry><title>A & B</title><link href="https://a.example/1"/></entry></feed>`,
      "A & B",
      /line 1: .*; <feed> is in no namespace$/,
    ],
    ["only </rss> missing", whole.replace("</rss>", "\n"), "A", /unclosed tag: rss/],
    ["only the last > missing", whole.slice(0, -1), "A", /unclosed tag: rss/],
  ])("%s → read, with what was wrong", (_, body, title, strictProblem) => {
    const reading = readAsFeed(body);
    expect(reading).toMatchObject({ lenient: true, strictProblem: expect.stringMatching(strictProblem) });
    expect(reading.entries[0]?.title).toBe(title);
  });

  test("names in another case and in no namespace → the same entries", () => {
    const upper = `<RSS VERSION="0.92"><CHANNEL><ITEM><TITLE>A</TITLE><GUID ISPERMALINK="false">https://a.example/g</GUID>
<LINK>https://a.example/1</LINK><PUBDATE>Fri, 20 Nov 2026 10:00:00 GMT</PUBDATE></ITEM></CHANNEL></RSS>`;
    expect(readAsFeed(upper)).toMatchObject({
      format: "rss-0.9x",
      entries: [
        { id: "https://a.example/g", url: "https://a.example/1", publishedIso: "2026-11-20T10:00:00Z" },
      ],
    });
    const bare = `<feed xmlns:dc="http://purl.org/dc/elements/1.1/"><entry><id>urn:1</id><title>A</title>
<link href="https://a.example/1"/><dc:creator>Pell, Ada</dc:creator><updated>2026-11-20</updated></entry></feed>`;
    expect(readAsFeed(bare)).toMatchObject({
      format: "atom-1.0",
      entries: [{ id: "urn:1", url: "https://a.example/1", creators: ["Pell, Ada"], updated: "2026-11-20" }],
    });
  });

  test("a bare & next to one in CDATA → the one in CDATA is unchanged", () => {
    expect(firstEntry(rss(item("A & <![CDATA[B &amp;amp; C]]>"))).title).toBe("A & B &amp; C");
  });

  test("Dublin Core without a declaration → read under its usual prefix", () => {
    const body = `<rss><channel><item><link>/1</link><dc:creator>Ada</dc:creator></item></channel></rss>`;
    expect(readAsFeed(body)).toMatchObject({ lenient: true, entries: [{ creators: ["Ada"] }] });
  });

  test("an entity of its own → never expanded", () => {
    const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${rss(item("&b;")).slice(21)}`;
    expect(firstEntry(bomb).title).toBe("&b;");
  });

  test("a document type that names a DTD elsewhere → not fetched, read strictly", () => {
    const body = `<!DOCTYPE rss SYSTEM "http://127.0.0.1:9/rss.dtd">${rss(item("A")).slice(21)}`;
    expect(readAsFeed(body)).toMatchObject({ lenient: false, entries: [{ title: "A" }] });
  });
});

describe("no feed", () => {
  test.each([
    ["no byte", "", "empty", /empty body/],
    ["white space", " \r\n\t", "empty", /empty body/],
    ["a byte order mark alone", "\ufeff", "empty", /empty body/],
    [
      "HTML",
      "<!DOCTYPE html><html><head><title>Moved &\n here</title></head><p>x</html>",
      "html",
      /"Moved & here"/,
    ],
    ["a fragment of HTML", "<head><title>Object moved</title></head><body></body>", "html", /"Object moved"/],
    ["XHTML", '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>x</p></body></html>', "html", /web page/],
    ["HTML that quotes a feed", `<html><body><pre>${whole}</pre></body></html>`, "html", /web page/],
    [
      "OAI-PMH",
      '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"/>',
      "unknown-format",
      /an OAI-PMH response/,
    ],
    [
      "a sitemap",
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>',
      "unknown-format",
      /sitemap/,
    ],
    [
      "RDF without a channel",
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>',
      "unknown-format",
      /rdf:RDF/,
    ],
    ["an unprefixed <feed> that is not Atom's", "<feed><entry/></feed>", "unknown-format", /<feed>/],
    ["broken XML of another kind", "<records><record>A & B</record>", "unknown-format", /<records>/],
    ["plain text", "Service temporarily unavailable", "unknown-format", /neither XML nor/],
    ["a PDF", "%PDF-1.7 1 0 obj", "unknown-format", /neither XML nor/],
    ["mis-nested tags", rss(item("<b>A</title>")), "not-well-formed", /line 4/],
    [
      "mis-nested tags after a warning",
      `Warning\n<br>\n${rss(item("<b>A</title>"))}`,
      "not-well-formed",
      /line 6/,
    ],
    ["a bare <", rss(item("p <0.05")), "not-well-formed", /line 4/],
    [
      "an attribute without quotes",
      "<rss version=2.0><channel></channel></rss>",
      "not-well-formed",
      /line 1/,
    ],
    [
      "elements nested without end",
      `<rss>${"<a>".repeat(300)}${"</a>".repeat(300)}</rss>`,
      "not-well-formed",
      /256 deep/,
    ],
  ])("%s → refused with that reason", (_, body, reason, detail) => {
    expect(read(body)).toMatchObject({ type: "not-a-feed", reason, detail: expect.stringMatching(detail) });
  });

  test.each([
    ["RSS 2.0", whole, "</channel>"],
    ["RSS 1.0", rdf('<item rdf:about="https://a.example/1"><title>A</title></item>'), "</rdf:RDF>"],
    ["Atom", atom('<entry><title>A</title><link href="/1"/></entry>'), "</feed>"],
    ["a faulty feed", rss(item("A & B")), "</channel>"],
  ])("%s cut anywhere before the end of its entries → truncated, no entry is used", (_, body, frameEnd) => {
    const bytes = new TextEncoder().encode(body);
    const entriesEnd = body.lastIndexOf(frameEnd);
    for (let length = "<?xml ".length; length <= entriesEnd; length++) {
      expect(read(bytes.subarray(0, length)), body.slice(0, length)).toMatchObject({ reason: "truncated" });
    }
  });

  test("cut inside a character → truncated, not a question of encoding", () => {
    const bytes = new TextEncoder().encode(rss(item("Zoë")));
    expect(read(bytes.subarray(0, bytes.indexOf(0xc3) + 1))).toMatchObject({ reason: "truncated" });
  });
});

describe("a feed that is made to be slow", () => {
  const inItem = (children: string) => rss(`<item><link>/1</link>${children}</item>`);
  test.each([
    ["CDATA sections that never end", `<rss>&${"<![CDATA[".repeat(50_000)}`],
    ["bare &s", rss(item("&".repeat(300_000)))],
    ["tags that never end", inItem(`<title><![CDATA[${"<a ".repeat(100_000)}]]></title>`)],
    ["comments that never end", inItem(`<title><![CDATA[${"<!--".repeat(100_000)}]]></title>`)],
    ["blanks", inItem(`<title>${" \n".repeat(150_000)}x</title>`)],
    ["an address of views", inItem(`<guid>https://a.example/10.5555/1${"/full".repeat(50_000)}x</guid>`)],
    ["an author of @s", inItem(`<author>${"a@".repeat(100_000)}</author>`)],
    ["a date of digits", inItem(`<pubDate>${"1 ".repeat(100_000)}</pubDate>`)],
    [
      "a tag of namespaces",
      `<rss ${Array.from({ length: 20_000 }, (_, i) => `xmlns:n${i}="u"`).join(" ")}/>`,
    ],
  ])("%s → read soon", (_, body) => {
    expect(cpuMsOf(() => read(body))).toBeLessThan(5000);
  });
});

describe("a feed that is made to take memory", () => {
  const jsonFeed = (items: string) =>
    `{"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [${items}]}`;
  const times = (text: string, count: number) => Array.from({ length: count }, () => text).join(",");
  test.each([
    ["a JSON feed of 11 million objects, 32 MiB", () => jsonFeed(times("{}", 11_000_000))],
    ["a JSON feed of 100,001 items", () => jsonFeed(times("{}", 100_001))],
    ["a JSON feed of 100,001 numbers", () => jsonFeed(times("0", 100_001))],
    ["one item of a million authors", () => jsonFeed(`{"authors": [${times("{}", 1_000_000)}]}`)],
    ["RSS of 100,001 items", () => rss("<item/>".repeat(100_001))],
    ["RSS 1.0 of 100,001 items", () => rdf("<item/>".repeat(100_001))],
    ["Atom of 100,001 entries", () => atom("<entry/>".repeat(100_001))],
    [
      "broken RSS of 100,001 items",
      () => rss(`${"<item/>".repeat(100_001)}<item><title>A & B</title></item>`),
    ],
    ["RSS of 2 million elements", () => rss(`<item>${"<a/>".repeat(2_000_000)}</item>`)],
  ])("%s → too large, in less than 1,000 MiB", (_, body) => {
    const bytes = new TextEncoder().encode(body());
    const before = process.memoryUsage().rss;
    expect(read(bytes)).toMatchObject({ type: "not-a-feed", reason: "too-large" });
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(1000);
  });

  test("100,000 items, with braces in their texts → all of them", () => {
    const item = String.raw`{"id": "https://a.example/", "title": "{{[[\"{}\\"}`;
    expect(read(jsonFeed(times(item, 100_000)))).toMatchObject({
      type: "feed",
      entries: { length: 100_000 },
    });
    expect(read(rss("<item><link>https://a.example/</link></item>".repeat(100_000)))).toMatchObject({
      entries: { length: 100_000 },
    });
  });
});
