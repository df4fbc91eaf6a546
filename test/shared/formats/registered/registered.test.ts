import { describe, expect, it } from "vitest";
import { parseCrossref } from "../../../../shared/formats/registered/crossref.ts";
import { parseDatacite } from "../../../../shared/formats/registered/datacite.ts";

const doi = "10.1234/x";
const crossref = (message: object) => parseCrossref({ message: { DOI: doi, ...message } });
const datacite = (attributes: object) => parseDatacite({ data: { attributes: { doi, ...attributes } } });
const day = (...parts: number[]) => ({ "date-parts": [parts] });

describe("Crossref's answer", () => {
  it.each<[string, object, object]>([
    ["a subtitle", { title: ["Bees"], subtitle: ["A Study"] }, { title: "Bees: A Study" }],
    [
      "a subtitle that the title has",
      { title: ["Bees: A Study"], subtitle: ["A study"] },
      { title: "Bees: A Study" },
    ],
    ["markup", { title: ["<i>Apis</i> &amp; others"] }, { title: "Apis & others" }],
    [
      "the year of the volume before that of the online edition",
      { "published-online": day(2015, 11, 30), "published-print": day(2016, 2), issued: day(2015, 11, 30) },
      { date: "2016-02" },
    ],
    ["an article number", { "article-number": "e12" }, { pages: "e12" }],
    [
      "an abstract in JATS",
      { abstract: "<jats:title>Abstract</jats:title><jats:p>On <jats:italic>bees</jats:italic>.</jats:p>" },
      { abstractNote: "On bees." },
    ],
    [
      "a person, a body and an editor",
      {
        author: [{ given: "Ottoline", family: "Pell" }, { name: "Church of England" }],
        editor: [{ family: "Roe" }],
      },
      {
        creators: [
          { creatorType: "author", firstName: "Ottoline", lastName: "Pell" },
          { creatorType: "author", name: "Church of England" },
          { creatorType: "editor", name: "Roe" },
        ],
      },
    ],
    ["a type that says nothing about an article", { type: "component" }, { itemType: "webpage" }],
    [
      "values of the wrong type",
      { title: "Bees", volume: 12, author: "Pell", ISSN: null },
      { creators: [], tags: [] },
    ],
  ])("%s", (_what, message, expected) => {
    expect(crossref(message)?.item).toMatchObject(expected);
  });

  it("a work that another one replaces → corrected by it", () => {
    const relation = { "is-replaced-by": [{ id: "10.1234/y", "id-type": "doi" }] };
    expect(crossref({ relation })?.notices).toEqual([
      { kind: "corrected", type: "replacement", of: doi, by: "10.1234/y" },
    ]);
  });

  it("thousands of authors and an endless abstract → of bounded size", () => {
    const author = Array.from({ length: 10_000 }, (_, at) => ({ given: "Ottoline", family: `Pell${at}` }));
    const work = crossref({ title: ["Bees"], author, abstract: "bees ".repeat(100_000) });
    expect(work?.item.title).toBe("Bees");
    expect(JSON.stringify(work).length).toBeLessThan(110_000);
  });

  it.each([[undefined], [{}], [{ message: { items: [] } }], [[]], ["x"]])("%j is none", (json) => {
    expect(parseCrossref(json)).toBeUndefined();
  });
});

describe("DataCite's answer", () => {
  it("its fields", () => {
    const attributes = {
      titles: [{ title: "Bienen", titleType: "TranslatedTitle" }, { title: "Bees" }],
      creators: [
        {
          name: "Pell, Ottoline",
          nameType: "Personal",
          givenName: "Ottoline",
          familyName: "Pell",
          nameIdentifiers: [{ nameIdentifier: "https://orcid.org/0000-0002-1825-0097" }],
        },
        { name: "Church of England", nameType: "Organizational" },
      ],
      contributors: [
        { name: "Roe, Richard", contributorType: "Editor" },
        { name: "X", contributorType: "Other" },
      ],
      container: { title: "Bees Quarterly", volume: "12", firstPage: "7", lastPage: "9" },
      publicationYear: 2014,
      dates: [
        { date: "2014-03-05", dateType: "Issued" },
        { date: "2015-01-01", dateType: "Available" },
      ],
      rightsList: [{ rightsUri: "https://creativecommons.org/licenses/by/4.0/" }],
      types: { resourceTypeGeneral: "JournalArticle" },
      subjects: [{ subject: "bees" }],
    };
    expect(datacite(attributes)).toEqual({
      item: {
        itemType: "journalArticle",
        title: "Bees",
        publicationTitle: "Bees Quarterly",
        date: "2014-03-05",
        volume: "12",
        pages: "7-9",
        DOI: doi,
        creators: [
          { creatorType: "author", firstName: "Ottoline", lastName: "Pell", orcid: "0000-0002-1825-0097" },
          { creatorType: "author", name: "Church of England" },
          { creatorType: "editor", firstName: "Richard", lastName: "Roe" },
        ],
        tags: [{ tag: "bees" }],
      },
      licences: [{ url: "https://creativecommons.org/licenses/by/4.0/", from: "2015-01-01" }],
      notices: [],
    });
  });

  it("another year of issue → the year of publication", () => {
    const dates = [{ date: "2013-12", dateType: "Issued" }];
    expect(datacite({ publicationYear: 2014, dates })?.item.date).toBe("2014");
  });
});
