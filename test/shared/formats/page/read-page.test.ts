import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type PageReading, readPageItem } from "../../../../shared/formats/page/read-page.ts";

interface Fixture {
  shows: string;
  hints: { contentType?: string; url: string };
  reading: PageReading;
}

const folder = new URL("./fixtures/", import.meta.url);
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".html"))
  .map((file) => file.slice(0, -".html".length));

describe("readPageItem", () => {
  const fixtures = names.map((name): [string, string, Fixture] => {
    const fixture: Fixture = JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));
    return [name, fixture.shows, fixture];
  });

  test.each(fixtures)("%s: %s", (name, _shows, { hints, reading }) => {
    expect(readPageItem(readFileSync(new URL(`${name}.html`, folder)), hints)).toEqual(reading);
  });
});

describe("readPage of what is not a page", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const url = "https://journal.example/1";

  test.each<[string, Uint8Array, string | undefined, string]>([
    ["no bytes → empty", bytes(""), undefined, "empty"],
    ["white space → empty", bytes(" \n\t "), "text/html", "empty"],
    ["a PDF served as HTML → not-html", bytes("%PDF-1.7\n1 0 obj"), "text/html", "not-html"],
    ["a NUL under an HTML media type → no-title", bytes("<p>a\0b</p>"), "text/html", "no-title"],
    ["binary data → not-html", Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), undefined, "not-html"],
    ["JSON → not-html", bytes('{"title": "x"}'), "application/json", "not-html"],
    ["plain words → not-html", bytes("Not found"), "text/html", "not-html"],
    ["an Atom feed → not-html", bytes("<feed><title>x</title></feed>"), "application/xml", "not-html"],
    [
      "a replaced encoding → encoding",
      bytes("<title>x</title>"),
      "text/html; charset=hz-gb-2312",
      "encoding",
    ],
    ["HTML without a title → no-title", bytes("<html><p>Words</p></html>"), "text/html", "no-title"],
  ])("%s", (_title, body, contentType, reason) => {
    const hints = contentType === undefined ? { url } : { contentType, url };
    expect(readPageItem(body, hints)).toMatchObject({ type: "not-a-page", reason });
  });
});

test.each([
  [
    "citation_author_orcid",
    '<meta name="citation_author" content="Pell, Ada"><meta name="citation_author_orcid" content="ID">',
  ],
  [
    "JSON-LD",
    '<script type="application/ld+json">{"@type":"ScholarlyArticle","headline":"A","author":{"name":"Ada Pell","@id":"ID"}}</script>',
  ],
])("an ORCID iD in %s as a URL → a note; with a wrong check digit → none, and told", (_where, markup) => {
  const read = (id: string) => {
    const html = `<title>A</title><meta name="citation_title" content="A">${markup.replace("ID", markup.includes("ld+json") ? id.replaceAll("/", "\\/") : id)}`;
    return readPageItem(new TextEncoder().encode(html), { url: "https://journal.example/1" });
  };
  expect(read("https://orcid.org/0000-0002-1825-0097")).toMatchObject({
    item: { notes: [{ note: "orcid:0000-0002-1825-0097 | Ada Pell" }] },
    problems: [],
  });
  const wrong = read("https://orcid.org/0000-0002-1825-0098");
  expect(wrong).toMatchObject({ problems: ["ORCID 0000-0002-1825-0098 has a wrong check digit"] });
  expect(wrong.type === "item" && wrong.item.notes).not.toContainEqual({
    note: expect.stringContaining("orcid"),
  });
});
