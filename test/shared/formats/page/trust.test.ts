import { describe, expect, it } from "vitest";
import { isReadableDate } from "../../../../shared/formats/article-dates.ts";
import { readPageItem } from "../../../../shared/formats/page/read-page.ts";

const meta = (tags: Record<string, string>) =>
  Object.entries(tags)
    .map(([name, content]) => `<meta name="${name}" content="${content}">`)
    .join("");

function read(head: string, url = "https://www.j.example/1") {
  const reading = readPageItem(new TextEncoder().encode(`<!doctype html><title>T</title>${head}`), { url });
  if (reading.type !== "item") throw new Error(reading.detail);
  return reading;
}

describe("the address that a page gives", () => {
  const canonical = (url: string) => `<link rel="canonical" href="${url}">`;
  const doi = meta({ citation_title: "T", citation_doi: "10.1234/x" });
  const foreign = (url: string) => [
    `the page gives ${url} as its URL, which is on another site and was not used`,
  ];

  it.each<[string, string, string, string[]]>([
    ["its own site", canonical("http://j.example/a"), "http://j.example/a", []],
    ["a part of its site", canonical("https://papers.j.example/a"), "https://papers.j.example/a", []],
    ["its DOI", canonical("https://doi.org/10.1234/X") + doi, "https://doi.org/10.1234/X", []],
    [
      "another DOI → its own",
      canonical("https://doi.org/10.1234/y") + doi,
      "https://www.j.example/1",
      foreign("https://doi.org/10.1234/y"),
    ],
    [
      "another site → its own",
      canonical("https://evil.example/x"),
      "https://www.j.example/1",
      foreign("https://evil.example/x"),
    ],
    [
      "another site with its DOI → its own",
      canonical("https://evil.example/10.1234/x") + doi,
      "https://www.j.example/1",
      foreign("https://evil.example/10.1234/x"),
    ],
    [
      "og:url of another site → its own",
      '<meta property="og:url" content="//evil.example/x">',
      "https://www.j.example/1",
      foreign("https://evil.example/x"),
    ],
    [
      "another site, and one of its own → that",
      `${canonical("https://evil.example/x")}<meta property="og:url" content="/2">`,
      "https://www.j.example/2",
      foreign("https://evil.example/x"),
    ],
    [
      "of the article, on another site → that",
      meta({ citation_title: "T", citation_public_url: "https://hdl.example/1" }),
      "https://hdl.example/1",
      [],
    ],
  ])("%s", (_what, head, url, problems) => {
    const reading = read(head);
    expect(reading.item.url).toBe(url);
    expect(reading.problems).toEqual(problems);
  });
});

describe("a date that no format reads", () => {
  const passedOver = (...dates: string[]) =>
    dates.map((date) => `date "${date}" cannot be read and was skipped`);

  it.each<[string, Record<string, string>, string, string[]]>([
    [
      "of the same vocabulary",
      { citation_date: "soon", citation_publication_date: "2020/05/01" },
      "2020/05/01",
      passedOver("soon"),
    ],
    [
      "before an online date",
      { citation_date: "soon", citation_online_date: "2020/05/01" },
      "2020/05/01",
      passedOver("soon"),
    ],
    [
      "of a more trusted vocabulary",
      { citation_title: "T", citation_date: "n.d.", "DC.date": "2020-05-01" },
      "2020-05-01",
      passedOver("n.d."),
    ],
    [
      "that never was",
      { citation_date: "2020/02/30", citation_online_date: "2020/13/45", "DC.date": "2020" },
      "2020",
      passedOver("2020/02/30", "2020/13/45"),
    ],
    [
      "and no other → kept, for the conversion to reject",
      { citation_date: "soon", "DC.date": "later" },
      "soon",
      [],
    ],
    ["below a good one → not looked at", { citation_date: "2020", "DC.date": "soon" }, "2020", []],
  ])("%s", (_what, tags, date, problems) => {
    const reading = read(meta(tags));
    expect(reading.item.date).toBe(date);
    expect(reading.problems).toEqual(problems);
  });

  it.each([
    ["2020", true],
    ["2020-05", true],
    ["2020/5/1", true],
    ["2020-05-01T10:00:00Z", true],
    ["2020/31/12", true],
    ["1 May 2020", true],
    ["Spring 2020", true],
    ["12.05.20", true],
    ["2020年5月", true],
    ["20200501", true],
    ["soon", false],
    ["n.d.", false],
    ["0000-00-00", false],
    ["2020-00-00", true],
    ["2019-02-29", true],
  ])("%s → readable: %s", (text, expected) => {
    expect(isReadableDate(text)).toBe(expected);
  });
});

it.each<[string, Record<string, string>, string]>([
  ["of another vocabulary", { "dc.date": "October 1976" }, "October 1976"],
  ["of another vocabulary, later", { "DC.date": "2006-03" }, "2006-03"],
  ["of the same vocabulary", { citation_publication_date: "1976/10" }, "1976/10"],
  ["the year of publication alone", { citation_year: "1976" }, "1976"],
  ["a date within the year of publication", { citation_year: "1976", "DC.date": "1976-10" }, "1976-10"],
  ["a later year of publication", { citation_year: "2006" }, "2006"],
  ["the same year", { citation_year: "2005" }, "2005/08/31"],
  ["none but an unreadable one", { citation_year: "n.d.", "DC.date": "soon" }, "2005/08/31"],
])("a date of publication beside the one on which it was put online: %s → %s", (_what, tags, date) => {
  expect(read(meta({ citation_title: "T", citation_online_date: "2005/08/31", ...tags })).item.date).toBe(
    date,
  );
});

it("a comma after the last of a list in JSON-LD → read all the same, texts as they are", () => {
  const block = String.raw`{"@type":"ScholarlyArticle","headline":"A [b,] \"c,}","author":[{"name":"Ada Pell",},], }`;
  expect(read(`<script type="application/ld+json">${block}</script>`)).toMatchObject({
    item: { title: 'A [b,] "c,}', creators: [{ lastName: "Pell" }] },
    problems: [],
  });
});

describe("editors in tags for Google Scholar", () => {
  const ada = { creatorType: "author", firstName: "Ada", lastName: "Pell" };
  const bea = { creatorType: "editor", firstName: "Bea", lastName: "Orr" };
  const cyd = { ...bea, firstName: "Cyd", lastName: "Moss" };

  it.each<[string, Record<string, string>, object[]]>([
    ["after the authors", { citation_editor: "Orr, Bea", citation_author: "Pell, Ada" }, [ada, bea]],
    ["alone", { citation_editor: "Orr, Bea" }, [bea]],
    ["in a list", { citation_editors: "Orr, Bea; Moss, Cyd" }, [bea, cyd]],
    [
      "a list beside single ones → these",
      { citation_editor: "Orr, Bea", citation_editors: "Moss, Cyd" },
      [bea],
    ],
    [
      "alone, and authors elsewhere → both, each once",
      { citation_editor: "Orr, Bea", "DC.creator": "Pell, Ada" },
      [ada, bea],
    ],
    [
      "alone, and as an author elsewhere → once",
      { citation_editor: "Orr, Bea", "DC.creator": "Orr, Bea" },
      [bea],
    ],
  ])("%s", (_what, tags, creators) => {
    expect(read(meta({ citation_title: "T", ...tags })).item.creators).toEqual(creators);
  });
});
