import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FeedEntry } from "../../../../shared/formats/feed/feed-entry.ts";
import type { Vocabulary } from "../../../../shared/formats/merge/merge-metadata.ts";
import { buildPageReading, parsePage } from "../../../../shared/formats/page/read-page.ts";
import { parseRecordFile } from "../../../../shared/formats/record-file/parse-record-file.ts";
import type { ZoteroItem } from "../../../../shared/formats/zotero-item.ts";
import type { TitledItem } from "../../../../shared/harvest/article/page-plausibility.ts";
import { pageStatements, siteStatements } from "../../../../shared/harvest/article/page-statements.ts";
import { mergeStatements } from "../../../../shared/harvest/witnesses/merge-statements.ts";

const entry: FeedEntry = {
  id: "guid",
  url: "https://j.example/1",
  title: "From the feed",
  published: "Fri, 20 Nov 2026 10:00:00 GMT",
  publishedIso: "2026-11-20T10:00:00Z",
  creators: ["Pell, Ottoline", "Ansgar von Dunnock", "Voltaire"],
  volume: "7",
  startingPage: "3",
  endingPage: "9",
  keywords: ["knots"],
};

function complete(item: ZoteroItem, from: FeedEntry, titleFrom: Vocabulary = "highwire"): ZoteroItem {
  const merged = merge({ item, titleFrom }, from);
  if (merged.type === "dropped") throw new Error(merged.reason);
  return merged.item;
}

function merge(page: TitledItem, from: FeedEntry) {
  const read = pageStatements(page, from);
  return read.type === "dropped" ? read : { ...read, ...mergeStatements(read.statements) };
}

describe("a page and its feed entry", () => {
  it("the page's values win over the feed's", () => {
    const item = { itemType: "journalArticle", title: "From the page", volume: "8", tags: [{ tag: "nets" }] };
    expect(complete(item, entry)).toMatchObject({
      title: "From the page",
      volume: "8",
      tags: [{ tag: "nets" }],
    });
  });

  it("what the page leaves open comes from the feed", () => {
    expect(complete({ itemType: "journalArticle", title: "", creators: [] }, entry)).toMatchObject({
      title: "From the feed",
      date: "2026-11-20T10:00:00Z",
      volume: "7",
      pages: "3-9",
      url: "https://j.example/1",
      tags: [{ tag: "knots" }],
    });
  });

  it.each([
    ["soon", "soon"],
    ["2014-00-00", "2014-00-00"],
    ["Spring 2014", "Spring 2014"],
    ["2014/03", "2014/03"],
    ["2026", "2026-11-20T10:00:00Z"],
    ["", "2026-11-20T10:00:00Z"],
  ])("the date %j of a page → %s: the feed's only where the page has none, or its year", (date, expected) => {
    expect(complete({ itemType: "journalArticle", title: "A", date }, entry).date).toBe(expected);
  });

  it("names in one piece are taken apart, as those of pages are", () => {
    const creators = ["Pell, Ottoline", "ANSGAR VON DUNNOCK", "Voltaire", "desk@j.example"];
    expect(complete({ itemType: "journalArticle" }, { ...entry, creators }).creators).toEqual([
      { creatorType: "author", firstName: "Ottoline", lastName: "Pell" },
      { creatorType: "author", firstName: "Ansgar Von", lastName: "Dunnock" },
      { creatorType: "author", name: "Voltaire" },
    ]);
  });

  it.each([
    ["the same page twice", { startingPage: "7", endingPage: "7" }, "7"],
    ["a first page alone", { startingPage: "7", endingPage: undefined }, "7"],
    ["a range in one piece", { pages: "i-xii" }, "i-xii"],
  ])("%s → its pages", (_what, from, expected) => {
    expect(complete({ itemType: "journalArticle" }, { ...entry, ...from }).pages).toBe(expected);
  });

  it.each([
    ["a page without metadata, a feed with a volume", "webpage", entry, "journalArticle"],
    ["a page without metadata, a feed without more", "webpage", { ...entry, volume: undefined }, "webpage"],
    ["a page with an item type", "thesis", entry, "thesis"],
  ])("%s → its type", (_what, itemType, from, expected) => {
    expect(complete({ itemType }, from).itemType).toBe(expected);
  });
});

describe("a page with no more than a title", () => {
  const announced = { ...entry, title: "On the Trinity: A Study", doi: "10.1234/x" };
  const of = (title: string, from: FeedEntry = announced, rest: Partial<ZoteroItem> = {}) =>
    merge({ item: { itemType: "webpage", title, creators: [], tags: [], ...rest }, titleFrom: "html" }, from);

  it.each([
    ["the feed's title", "On the Trinity: A Study"],
    ["with the journal's and the site's name", "On the Trinity: a study | Journal of X | Publisher Online"],
    ["its beginning", "On the Trinity - Journal of X"],
  ])("%s → the record is the feed's, with a warning", (_what, title) => {
    expect(of(title, announced, { creators: [{ creatorType: "author", name: "Publisher" }] })).toMatchObject({
      type: "statements",
      item: {
        itemType: "journalArticle",
        title: "On the Trinity: A Study",
        DOI: "10.1234/x",
        creators: [{ lastName: "Pell" }, { lastName: "Dunnock" }, { name: "Voltaire" }],
        url: "https://j.example/1",
      },
      warnings: [expect.stringContaining("made from the feed entry")],
    });
  });

  it("another title → dropped, with both", () => {
    expect(of("Publisher Online | Home")).toEqual({
      type: "dropped",
      reason:
        'other-page: the page has no metadata but the title "Publisher Online | Home", the feed has "On the Trinity: A Study"',
    });
  });

  it.each([
    "Error 404",
    "Page not found | Publisher",
    "Just a moment...",
    "Access Denied",
    "404",
    "404 - Not Found",
  ])("%s → dropped as an error", (title) => {
    expect(of(title)).toEqual({
      type: "dropped",
      reason: `error-page: the page has the title "${title}"`,
    });
  });

  it.each<[string, Partial<ZoteroItem>, string]>([
    ["and no more → dropped", {}, "dropped"],
    ["with a date → an article with that title", { date: "2026" }, "statements"],
    ["with an author → likewise", { creators: [{ creatorType: "author", name: "Pell" }] }, "statements"],
  ])("a title in Dublin Core, %s", (_what, rest, type) => {
    const item = { itemType: "webpage", title: "Publisher Online", creators: [], ...rest };
    expect(merge({ item, titleFrom: "dublin-core" }, announced).type).toBe(type);
  });

  it("a feed without titles → nothing confirms it: it stays a web page", () => {
    expect(of("On the Trinity", { ...announced, title: undefined })).toMatchObject({
      item: { itemType: "webpage" },
    });
  });

  it("an error's title that the feed has, too → its article", () => {
    expect(of("Access denied", { ...announced, title: "Access Denied" }).type).toBe("statements");
  });
});

it.each<[string, Vocabulary, Partial<ZoteroItem>, string]>([
  ["a bare title beside a volume → the feed's", "html", { volume: "7" }, "From the feed"],
  ["Open Graph's of an article → stands", "open-graph", { itemType: "magazineArticle" }, "A | Site"],
  ["Highwire's → stands", "highwire", {}, "A | Site"],
])("a title: %s", (_what, titleFrom, rest, expected) => {
  expect(complete({ itemType: "webpage", title: "A | Site", ...rest }, entry, titleFrom).title).toBe(
    expected,
  );
});

it.each<[string, Vocabulary, Partial<ZoteroItem>, string]>([
  ["JSON-LD's → dropped", "json-ld", {}, "dropped"],
  ["Highwire's → an article with that title", "highwire", {}, "statements"],
  ["beside a DOI of the page → likewise", "html", { DOI: "10.1234/y" }, "statements"],
])("the title of an error, %s", (_what, titleFrom, rest, type) => {
  const item = { itemType: "journalArticle", title: "Page not found", ...rest };
  expect(merge({ item, titleFrom }, entry).type).toBe(type);
});

describe("a page and the record that it links to", () => {
  const url = "https://j.example/1";
  const metas: [string, string][] = [
    ["citation_volume", "12"],
    ["dc.title", "Bees"],
    ["dc.creator", "Roe, Richard"],
    ["dc.date", "2014"],
    ["og:description", "About bees"],
    ["citation_doi", "10.1234/x"],
  ];
  const record = parseRecordFile(
    "ris",
    new TextEncoder().encode(
      "TY  - JOUR\nTI  - Bees: A Study\nAU  - Pell, Ottoline\nPY  - 2014/03\nVL  - 13\nIS  - 2\nDO  - 10.1234/x\nER  - \n",
    ),
    "application/x-research-info-systems",
  );
  const records = record.type === "records" ? record.records : [];

  it("→ the values of the most trusted vocabularies, whichever of them a page has", () => {
    fc.assert(
      fc.property(fc.subarray(metas), (chosen) => {
        const tags = chosen.map(([name, content]) => `<meta name="${name}" content="${content}">`);
        const page = parsePage(new TextEncoder().encode(`<title>Bees | Site</title>${tags.join("")}`), {
          url,
        });
        if (page.type !== "parsed") throw new Error(page.reason);
        const linked = { vocabulary: "ris" as const, records };
        const reading = buildPageReading(page, linked);
        if (reading.type !== "item") throw new Error(reading.reason);
        const [first, ...others] = siteStatements(page, linked, reading);
        if (first === undefined) throw new Error("nothing is stated");
        const withLists = { creators: [], tags: [], ...mergeStatements([first, ...others]).item };
        expect(withLists).toEqual(reading.item);
      }),
    );
  });

  it("→ each field from the one that prevails, and what the other says", () => {
    const tags = `<meta name="citation_title" content="Bees: A Study"><meta name="citation_volume" content="12">`;
    const page = parsePage(new TextEncoder().encode(tags), { url });
    if (page.type !== "parsed") throw new Error(page.reason);
    const linked = { vocabulary: "ris" as const, records };
    const reading = buildPageReading(page, linked);
    if (reading.type !== "item") throw new Error(reading.reason);
    const [first, ...others] = siteStatements(page, linked, reading);
    if (first === undefined) throw new Error("nothing is stated");
    expect(mergeStatements([first, ...others]).provenance).toEqual(
      expect.arrayContaining([
        {
          field: "volume",
          value: "12",
          witness: "page",
          others: [{ witness: "linked-record", value: "13" }],
          disagrees: true,
        },
        { field: "issue", value: "2", witness: "linked-record", others: [] },
      ]),
    );
  });
});
