import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { ZoteroItem } from "../../../../shared/formats/zotero-item.ts";
import { mergeStatements } from "../../../../shared/harvest/witnesses/merge-statements.ts";
import type { Statement } from "../../../../shared/harvest/witnesses/statement.ts";
import type { ProvenanceField, Witness } from "../../../../shared/records/origin/provenance.ts";

type Said = Partial<Record<Witness, Partial<ZoteroItem>>>;

function merge(said: Said) {
  const statements = Object.entries(said).map(
    ([witness, item]): Statement => ({
      witness: witness as Witness,
      item: { itemType: "journalArticle", ...item },
    }),
  );
  return mergeStatements(statements as [Statement, ...Statement[]]);
}

const originOf = (said: Said, field: ProvenanceField) =>
  merge(said).provenance.find((each) => each.field === field);

const pell = { creatorType: "author", firstName: "Ottoline", lastName: "Pell" };
const roe = { creatorType: "author", firstName: "Richard", lastName: "Roe" };

describe("the table of fields", () => {
  it.each<[string, Said, Partial<ZoteroItem>]>([
    ["the page before the feed", { feed: { volume: "1" }, page: { volume: "2" } }, { volume: "2" }],
    ["a gap of the page is filled", { page: { title: "A" }, crossref: { volume: "2" } }, { volume: "2" }],
    [
      "the linked record before a registry",
      { crossref: { issue: "1" }, "linked-record": { issue: "2" } },
      { issue: "2" },
    ],
    [
      "a registry before a translation server",
      { "translation-server": { pages: "1" }, datacite: { pages: "2-3" } },
      { pages: "2-3" },
    ],
    [
      "a translation server before the feed",
      { feed: { title: "Bees [Article]" }, "translation-server": { title: "Bees" } },
      { title: "Bees" },
    ],
    [
      "n/a is a gap",
      { page: { volume: "n/a", issue: "2" }, crossref: { volume: "12" } },
      { volume: "12", issue: "2" },
    ],
    [
      "a web page is no type of article",
      { page: { itemType: "webpage" }, crossref: { itemType: "journalArticle" } },
      { itemType: "journalArticle" },
    ],
    [
      "the registries' link is never the article's",
      { crossref: { url: "https://doi.org/10.1234/x" }, feed: { url: "https://j.example/1" } },
      { url: "https://j.example/1" },
    ],
    [
      "two independent witnesses beat the page",
      { page: { volume: "5" }, feed: { volume: "12" }, crossref: { volume: "Vol. 12" } },
      { volume: "Vol. 12" },
    ],
    [
      "the linked record and a registry beat the page",
      { page: { volume: "5" }, "linked-record": { volume: "12" }, crossref: { volume: "12" } },
      { volume: "12" },
    ],
    [
      "the page and a registry beat two others",
      {
        page: { volume: "5" },
        "linked-record": { volume: "12" },
        feed: { volume: "12" },
        crossref: { volume: "5" },
      },
      { volume: "5" },
    ],
    [
      "a translation server has no vote, because it reads the same page",
      { page: { volume: "5" }, "translation-server": { volume: "12" }, crossref: { volume: "12" } },
      { volume: "5" },
    ],
    [
      "the shorter title of two others is not another title",
      { page: { title: "Bees: A Study" }, feed: { title: "Bees" }, crossref: { title: "Bees" } },
      { title: "Bees: A Study" },
    ],
    [
      "another first author of two others",
      { page: { creators: [roe] }, feed: { creators: [pell] }, crossref: { creators: [pell, roe] } },
      { creators: [pell, roe] },
    ],
  ])("%s", (_rule, said, expected) => {
    expect(merge(said).item).toMatchObject(expected);
  });
});

describe("the year of an article", () => {
  it.each<[string, Said, string]>([
    ["page 2014, feed 2026", { page: { date: "2014" }, feed: { date: "2026-11-20" } }, "2014"],
    [
      "page 2014, feed and registry 2026: a feed has no vote",
      { page: { date: "2014" }, feed: { date: "2026-11-20" }, crossref: { date: "2026" } },
      "2014",
    ],
    [
      "a page without a date, Crossref 2014, feed 2026",
      { feed: { date: "2026" }, crossref: { date: "2014" } },
      "2014",
    ],
    [
      "a page's date without a year, Crossref 2014",
      { page: { date: "soon" }, crossref: { date: "2014" } },
      "2014",
    ],
    ["a page's date without a year, feed 2026", { page: { date: "soon" }, feed: { date: "2026" } }, "soon"],
    ["only a feed", { feed: { date: "2026-11-20" } }, "2026-11-20"],
    [
      "page 2014, Crossref in March 2014: the same year, more precisely",
      { page: { date: "2014" }, crossref: { date: "2014-03-05" } },
      "2014-03-05",
    ],
  ])("%s", (_what, said, date) => {
    expect(merge(said).item.date).toBe(date);
  });
});

describe("the origin of a field", () => {
  it("names the witness and what the others say", () => {
    const said: Said = {
      page: { date: "2014/03" },
      feed: { date: "2026-11-20" },
      crossref: { date: "2014" },
    };
    expect(originOf(said, "year")).toEqual({
      field: "year",
      value: "2014",
      witness: "page",
      others: [
        { witness: "crossref", value: "2014" },
        { witness: "feed", value: "2026" },
      ],
      disagrees: true,
    });
  });

  it.each<[string, ProvenanceField, Said, true | undefined]>([
    ["another volume", "volume", { page: { volume: "5" }, feed: { volume: "12" } }, true],
    [
      "the same volume, written otherwise",
      "volume",
      { page: { volume: "005" }, feed: { volume: "Vol. 5" } },
      undefined,
    ],
    ["a year of the range", "year", { page: { date: "2014/2015" }, crossref: { date: "2015" } }, undefined],
    ["another year", "year", { page: { date: "2015" }, crossref: { date: "2016" } }, true],
    [
      "a title without its subtitle",
      "title",
      { page: { title: "Bees: A Study" }, feed: { title: "Bees" } },
      undefined,
    ],
    ["another title", "title", { page: { title: "Bees" }, feed: { title: "Wasps" } }, true],
    [
      "an initial",
      "creators",
      { page: { creators: [pell] }, feed: { creators: [{ ...pell, firstName: "O. M." }] } },
      undefined,
    ],
    ["another first author", "creators", { page: { creators: [pell] }, feed: { creators: [roe] } }, true],
    ["other pages, which are no finding", "pages", { page: { pages: "1" }, feed: { pages: "2" } }, undefined],
  ])("%s → disagrees: %s %s", (_what, field, said, disagrees) => {
    expect(originOf(said, field)?.disagrees).toBe(disagrees);
  });

  it("is bounded, however long the statements are", () => {
    const long = "𝒳".repeat(100_000);
    const said = { title: long, volume: long, abstractNote: long, tags: [{ tag: long }], date: long };
    const { provenance } = merge({
      page: said,
      "linked-record": said,
      crossref: said,
      datacite: said,
      feed: said,
    });
    expect(JSON.stringify(provenance).length).toBeLessThan(20_000);
  });
});

describe("ORCID iDs of a registry", () => {
  const registered = (firstName: string, lastName = "Pell") => ({
    creators: [{ creatorType: "author", firstName, lastName, orcid: "0000-0002-1825-0097" }],
  });
  const note = { note: "orcid:0000-0002-1825-0097 | Ottoline Pell" };

  it.each<[string, Said, object[]]>([
    ["the same name", { page: { creators: [pell, roe] }, crossref: registered("Ottoline") }, [note]],
    ["an initial", { page: { creators: [pell] }, crossref: registered("O.") }, [note]],
    ["another forename", { page: { creators: [pell] }, crossref: registered("Oscar") }, []],
    [
      "two authors with that initial",
      { page: { creators: [pell, { ...pell, firstName: "Oscar" }] }, crossref: registered("O.") },
      [],
    ],
    [
      "an author whose page has another iD",
      {
        page: { creators: [pell], notes: [{ note: "orcid:0000-0001-5109-3700 | Ottoline Pell" }] },
        crossref: registered("Ottoline"),
      },
      [{ note: "orcid:0000-0001-5109-3700 | Ottoline Pell" }],
    ],
  ])("%s", (_what, said, notes) => {
    const { item } = merge(said);
    expect(item.notes).toEqual(notes);
    expect(item.creators?.every((creator) => !("orcid" in creator))).toBe(true);
  });
});

describe("with a translation server, no field is worse than without", () => {
  const optional = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
  const words = fc.constantFrom("Bees", "On bees: a study", "Wasps", "Ants & wasps", "");
  const numbers = fc.constantFrom("1", "12", "n/a", "", "3-9", "e12", "XII");
  const dates = fc.constantFrom("2014", "2014-03-05", "soon", "", "Spring 2014", "2026-11-20", "2014/2015");
  const names = fc.constantFrom(pell, roe, { creatorType: "author", name: "Church of England" });
  const said = fc.record({
    title: optional(words),
    creators: optional(fc.array(names, { maxLength: 3 })),
    date: optional(dates),
    volume: optional(numbers),
    issue: optional(numbers),
    pages: optional(numbers),
    DOI: optional(fc.constantFrom("10.1234/x", "10.1234/y", "")),
    abstractNote: optional(words),
    rights: optional(fc.constantFrom("https://creativecommons.org/licenses/by/4.0/", "© 2014")),
    tags: optional(fc.array(fc.record({ tag: words }), { maxLength: 2 })),
    itemType: fc.constantFrom("journalArticle", "webpage", "bookSection"),
    notes: fc.subarray([{ note: "LF:" }, { note: "abs:Zwei" }, { note: "orcid:0000-0002-1825-0097 | A B" }]),
  });
  const yearOf = (date = "") => /\d{4}/.exec(date)?.[0];
  const isGap = (field: string, value: unknown) =>
    value === undefined ||
    value === "" ||
    (Array.isArray(value) && value.length === 0) ||
    (field === "date" && yearOf(String(value)) === undefined) ||
    (field === "itemType" && value === "webpage") ||
    ((field === "volume" || field === "issue") && value === "n/a");

  test("random pages, feeds, registries and translations: what was known stays, and gaps are filled", () => {
    fc.assert(
      fc.property(
        said,
        said,
        fc.subarray(["linked-record", "feed", "crossref"] as const),
        said,
        fc.boolean(),
        (page, translation, others, other, isPageRead) => {
          const stated: Said = {
            ...(isPageRead && { page }),
            ...Object.fromEntries(others.map((witness) => [witness, other])),
          } as Said;
          const known: Said = Object.keys(stated).length === 0 ? { feed: {} } : stated;
          const { feed: _feed, ...rest } = known;
          const before = merge(known).item;
          const after = merge({ ...known, "translation-server": translation } as Said).item;
          const withoutFeed = Object.keys(rest).length === 0 ? { itemType: "webpage" } : merge(rest).item;
          const isFromFeed = (field: string) => known.feed !== undefined && isGap(field, withoutFeed[field]);
          for (const field of Object.keys(translation)) {
            if (field === "notes") expect(after.notes).toEqual(expect.arrayContaining(before.notes ?? []));
            else if (isGap(field, before[field])) {
              const isFilled = !isGap(field, translation[field as keyof typeof translation]);
              if (isFilled) expect(isGap(field, after[field])).toBe(false);
            } else if (!isFromFeed(field)) {
              const compared = (item: ZoteroItem) => (field === "date" ? yearOf(item.date) : item[field]);
              expect(compared(after)).toEqual(compared(before));
            }
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});

test("a malformed item is ignored beside another, and kept for the conversion when it is the only one", () => {
  const malformed = { itemType: 5 } as never as ZoteroItem;
  const page: Statement = { witness: "page", item: { itemType: "journalArticle", title: "A" } };
  const translated: Statement = { witness: "translation-server", item: malformed };
  expect(mergeStatements([translated, page]).item.title).toBe("A");
  expect(mergeStatements([translated])).toEqual({ item: malformed, provenance: [] });
});
