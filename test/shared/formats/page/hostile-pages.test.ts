import { describe, expect, test } from "vitest";
import { maxCreators, maxKeywords, maxPageBytes, maxTextChars } from "../../../../shared/formats/limits.ts";
import { readPageItem } from "../../../../shared/formats/page/read-page.ts";
import { cpuMsOf } from "../../../cpu-time.ts";

/** Far above what any of these pages takes, far below what it took if a limit or a linear pattern were missing. */
const maxCpuMs = 5_000;

const nested = (depth: number) => `${'{"@graph":'.repeat(depth)}1${"}".repeat(depth)}`;
const jsonLd = (json: string) => `<script type="application/ld+json">${json}</script>`;
const meta = (name: string, content: string) => `<meta name="${name}" content="${content}">`;

function read(markup: string) {
  const reading = readPageItem(new TextEncoder().encode(`<title>Title</title>${markup}`), {
    url: "https://hostile.example/",
  });
  if (reading.type !== "item") throw new Error(reading.detail);
  return reading;
}

/** The item of a page that says nothing but its title. */
const bare = {
  itemType: "webpage",
  title: "Title",
  creators: [],
  tags: [],
  notes: [],
  url: "https://hostile.example/",
};

describe("readPage of hostile pages", () => {
  test("10 000 authors → as many as are read, and a word of it", () => {
    const { item, problems } = read(meta("citation_author", "Doe, Jane").repeat(10_000));
    expect(item.creators).toHaveLength(maxCreators);
    expect(problems).toEqual(["more metas than the limit", "more creators than the limit"]);
  });

  test("a list of 200 000 names and keywords → as many as are read", () => {
    const { item } = read(
      meta("citation_authors", "A B;".repeat(200_000)) +
        meta("citation_keywords", Array.from({ length: 9_000 }, (_, i) => `k${i}`).join(";")),
    );
    expect(item.creators).toHaveLength(maxCreators);
    expect(item.tags).toHaveLength(maxKeywords);
  });

  test("an abstract of 1 MB → cut", () => {
    const { item } = read(meta("citation_abstract", "word ".repeat(200_000)));
    expect(item.abstractNote?.length).toBeLessThanOrEqual(maxTextChars);
  });

  test("a page beyond the limit → the rest is not read", () => {
    const { item } = read("x".repeat(maxPageBytes) + meta("citation_title", "Late"));
    expect(item.title).toBe("Title");
  });

  test.each([
    ["elements without end", '<div class="title-container">', "<h2 class=issue-heading>Volume 1"],
    ["elements that fit", "", '<div class="issue-heading">Volume 1</div>'],
    ["one line", '<div class="issue-heading">', "Volume 1 Issue "],
    ["classes", "", '<i class="a b c d e f g h"></i>'],
  ])("a page of a known platform with 100 000 %s → read in its time", (_what, beginning, repeated) => {
    const markup = meta("pbContext", "x") + beginning + repeated.repeat(100_000);
    expect(cpuMsOf(() => read(markup))).toBeLessThan(maxCpuMs);
  });

  test("ScienceDirect's JSON nested 100 000 deep → read without it", () => {
    const deep = `${'{"$$":['.repeat(100_000)}1${"]}".repeat(100_000)}`;
    const state = `<script type="application/json">{"article":{},"authors":{"content":[${deep}]}}</script>`;
    const own = '<link rel="canonical" href="https://www.sciencedirect.com/1">';
    expect(read(own + state).item.creators).toEqual([]);
  });

  test.each([
    [
      "JSON-LD nested 40 000 deep → noted",
      jsonLd(nested(40_000)),
      "json-ld: nested or repeated beyond the limits",
    ],
    [
      "arrays nested 200 000 deep → noted",
      jsonLd(`${"[".repeat(200_000)}${"]".repeat(200_000)}`),
      "json-ld: nested or repeated beyond the limits",
    ],
    [
      "JSON-LD of 600 000 characters → noted",
      jsonLd(`"${"x".repeat(600_000)}"`),
      "json-ld: a block is too long",
    ],
    ["1 000 blocks of JSON-LD → noted", jsonLd("{}").repeat(1_000), "more jsonLd than the limit"],
  ])("%s", (_title, markup, problem) => {
    expect(read(markup).problems).toEqual([problem]);
  });

  test("types named like an object's own members → no types", () => {
    const { item, linked } = read(
      meta("dc.type", "constructor") +
        meta("prism.aggregationType", "__proto__") +
        meta("eprints.type", "toString") +
        '<link rel="alternate" type="constructor" href="/x"><span class="Z3988" title="ctx_ver=Z39.88-2004&rft_val_fmt=__proto__"></span>' +
        jsonLd('{"@type":"constructor","headline":"x"}'),
    );
    expect(item.itemType).toBe("webpage");
    expect(linked).toEqual([]);
  });

  test("JSON-LD that refers to itself → read once", () => {
    const self =
      '{"@type":"Article","@id":"#a","headline":"Ouroboros","isPartOf":{"@id":"#a"},"author":{"@id":"#a"}}';
    expect(read(jsonLd(self)).item.title).toBe("Ouroboros");
  });

  test.each<[string, string, object]>([
    [
      "unclosed tags",
      meta("citation_title", "<a".repeat(500_000)),
      { itemType: "journalArticle", title: "<a".repeat(maxTextChars / 2) },
    ],
    ["commas", meta("citation_authors", `${",".repeat(1_000_000)}x`), {}],
    [
      "dots in a DOI",
      meta("citation_doi", `10.1234/${".".repeat(1_000_000)}x`),
      { itemType: "journalArticle" },
    ],
    [
      "digits in a source",
      meta("dc.source", "1".repeat(1_000_000)),
      { publicationTitle: "1".repeat(maxTextChars) },
    ],
    [
      "COinS beside a long title",
      meta("citation_title", "word ".repeat(10_000)) +
        '<span class=Z3988 title="ctx_ver=Z39.88-2004&rft.atitle=Words+of+a+cited+work">'.repeat(6_000),
      { itemType: "journalArticle", title: "word ".repeat(10_000).trim() },
    ],
    ["comment marks around JSON-LD", jsonLd(`x${";/* ".repeat(120_000)}x`), {}],
    ["elements never closed", Array.from({ length: 200_000 }, (_, i) => `<b id=${i}><p>`).join(""), {}],
    ["attributes of one tag", `<meta ${Array.from({ length: 300_000 }, (_, i) => `a${i}`).join(" ")}>`, {}],
    [
      "abstracts",
      Array.from({ length: 6_000 }, (_, i) => meta("dc.description", `${i} words`)).join(""),
      { abstractNote: "0 words", notes: [{ note: "abs:1 words" }, { note: "abs1:2 words" }] },
    ],
  ])("very many %s → read in linear time, as far as they are read", (_title, markup, item) => {
    let found: ReturnType<typeof read> | undefined;
    expect(
      cpuMsOf(() => {
        found = read(markup);
      }),
    ).toBeLessThan(maxCpuMs);
    expect(found?.item).toEqual({ ...bare, ...item });
  });
});
