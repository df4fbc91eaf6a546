import { describe, expect, it } from "vitest";
import { readPageItem } from "../../../../shared/formats/page/read-page.ts";

/** The item of a page that is made for a test. */
function read(url: string, markup: string) {
  const page = `<!doctype html><title>On Bees</title><meta name="dc.Title" content="On Bees">${markup}`;
  const reading = readPageItem(new TextEncoder().encode(page), { url });
  if (reading.type !== "item") throw new Error(reading.detail);
  return reading;
}

const whole = "Bees dance in the dark of the hive. They tell the way to the flowers, and how far it is.";
const description = `<meta name="description" content="${whole.slice(0, 40)}…">`;

describe("platforms", () => {
  it.each([
    [
      "in spans",
      '<div class="article_header-cite-this"><span>Cite This:</span> <span class="cit-title"><i>ACS Comb. Sci.</i></span> <span class="cit-year-info">2016</span>, <span class="cit-volume">18</span>, <span class="cit-issue">1</span>, <span class="cit-pageRange">1-14</span></div>',
    ],
    ["as one text", '<div class="article_header-cite-this">Cite This: ACS Comb. Sci. 2016 18 1 1-14</div>'],
    ["with commas", '<p class="citeThis">Cite This: ACS Comb. Sci. 2016, 18, 1, 1–14</p>'],
  ])(
    "ACS, its citation %s, online in 2015 → the year of print, volume, issue, pages; told",
    (_how, markup) => {
      const online = '<meta name="dc.Date" scheme="WTN8601" content="December 16, 2015">';
      const { item, problems } = read("https://pubs.acs.org/doi/10.1021/x", online + markup);
      expect(item).toMatchObject({ date: "2016", volume: "18", issue: "1", pages: "1-14" });
      expect(problems).toEqual(['date "December 16, 2015" is of another year than "2016" and was not used']);
    },
  );

  it("APS → the whole abstract of its section, and the article number", () => {
    const metas =
      '<meta name="citation_firstpage" content="145901"><meta name="citation_doi" content="10.1103/PhysRevLett.122.145901">';
    const section = `<section id="abstract-section"><h2>Abstract</h2><div class="content"><p>${whole}</p></div></section>`;
    const { item } = read("https://journals.aps.org/prl/abstract/1", metas + description + section);
    expect(item).toMatchObject({
      abstractNote: whole,
      pages: "145901",
      notes: [{ note: "articleid:145901" }],
    });
  });

  it("RSC → its abstract", () => {
    const capsule = `<div class="capsule"><h3>Abstract</h3><div class="capsule__text"><p>${whole}</p></div></div>`;
    const { item } = read("https://pubs.rsc.org/en/content/articlelanding/2020/x", description + capsule);
    expect(item.abstractNote).toBe(whole);
  });

  const anthology = (year: number) =>
    read(
      "https://aclanthology.org/N04-1001/",
      `<p class=lead><a href=/p/1>Ada Pell</a>, <a href=/p/2>Bea Orr</a></p><div class="card-body acl-abstract"><h5>Abstract</h5><span>${whole}</span></div>
<dl class=row><dt>Volume:</dt><dd>Proceedings of Bees</dd><dt>Year:</dt><dd>${year}</dd><dt>Pages:</dt><dd>1–8</dd></dl>
<footer><a rel=license href=https://creativecommons.org/licenses/by/4.0/><img src=by.png></a> Materials prior to 2016 here are licensed under the <a href=https://creativecommons.org/licenses/by-nc-sa/3.0/>Creative Commons Attribution-NonCommercial-ShareAlike 3.0 International License</a>. Materials published in or after 2016 are licensed on a <a href=https://creativecommons.org/licenses/by/4.0/>Creative Commons Attribution 4.0 International License</a>.</footer>`,
    );

  it.each([
    [2004, "Creative Commons Attribution-NonCommercial-ShareAlike 3.0"],
    [2016, "Creative Commons Attribution 4.0"],
  ])("ACL Anthology, %s → authors, abstract, proceedings, pages, the licence of its year", (year, rights) => {
    expect(anthology(year).item).toMatchObject({
      creators: [
        { firstName: "Ada", lastName: "Pell" },
        { firstName: "Bea", lastName: "Orr" },
      ],
      abstractNote: whole,
      publicationTitle: "Proceedings of Bees",
      pages: "1-8",
      rights,
    });
  });

  it("NBER, a working paper → in no journal", () => {
    const { item } = read(
      "https://www.nber.org/papers/w12345",
      '<meta name="citation_title" content="On Bees"><meta name="citation_technical_report_number" content="w12345"><meta name="citation_technical_report_institution" content="National Bureau of Economic Research"><meta name="citation_journal_title" content="NBER Working Paper Series"><meta property="og:site_name" content="NBER">',
    );
    expect(item).toMatchObject({
      itemType: "report",
      institution: "National Bureau of Economic Research",
    });
    expect(item).not.toHaveProperty("publicationTitle");
  });

  it("Annual Reviews → its publisher is no journal", () => {
    const { item } = read(
      "https://www.annualreviews.org/doi/10.1146/x",
      '<meta name="dc.Publisher" content="Annual Reviews"><meta name="dc.Type" content="article"><meta property="og:site_name" content="Annual Reviews"><div class="journal-heading">Annual Review of Bees</div><div class="article-header"><p>Vol. 6:299-323 (2015)</p></div>',
    );
    expect(item).toMatchObject({ publicationTitle: "Annual Review of Bees", volume: "6" });
    const { item: alone } = read(
      "https://www.annualreviews.org/doi/10.1146/x",
      '<meta name="dc.Publisher" content="Annual Reviews"><meta name="dc.Type" content="journal article"><meta property="og:site_name" content="Annual Reviews">',
    );
    expect(alone).not.toHaveProperty("publicationTitle");
  });

  it("eLife without a citation line → its abstract and authors", () => {
    const { item } = read(
      "https://elifesciences.org/reviewed-preprints/1",
      `<h1 class="content-header__title">On Bees</h1><span class="content-header__author_list_item">Ada Pell,</span><section id="abstract"><h2>Abstract</h2><p>${whole}</p></section>`,
    );
    expect(item).toMatchObject({ abstractNote: whole, creators: [{ lastName: "Pell" }] });
  });
});

describe("plain HTML", () => {
  const expected = { itemType: "journalArticle", volume: "12", issue: "3", pages: "1-20", date: "2014" };
  it.each([
    ["bold labels", "<p><b>Volume:</b> 12<br><b>Issue:</b> 3<br><b>Year:</b> 2014<br><b>Pages:</b> 1–20</p>"],
    [
      "labels in one line",
      "<p><b>Volume:</b> 12, <b>Number:</b> 3, <b>Year:</b> 2014, <b>Pages:</b> 1 - 20</p>",
    ],
    [
      "a colon behind",
      "<p><strong>Band</strong>: 12</p><p><strong>Heft</strong>: 3</p><p><strong>Jahr</strong>: 2014</p><p><strong>Seiten</strong>: 1-20</p>",
    ],
    [
      "a list of terms",
      "<dl><dt>Volume</dt><dd>12</dd><dt>Issue</dt><dd>3</dd><dt>Year</dt><dd>2014</dd><dt>Pages</dt><dd>pp. 1-20</dd></dl>",
    ],
    [
      "a table",
      "<table><tr><th>Vol.</th><td>12</td></tr><tr><th>No.</th><td>3</td></tr><tr><th>Year</th><td>2014</td></tr><tr><th>Pages</th><td>1-20</td></tr></table>",
    ],
  ])("%s → volume, issue, year, pages", (_how, markup) => {
    expect(read("https://journal.example/1", markup).item).toMatchObject(expected);
  });

  it("the volumes of several articles → none of them", () => {
    const markup = "<p><b>Volume:</b> 12</p><p><b>Volume:</b> 13</p><p><b>Issue:</b> 3</p>";
    const { item } = read("https://journal.example/1", markup);
    expect(item).not.toHaveProperty("volume");
    expect(item.issue).toBe("3");
  });

  it("bold words that are no labels → nothing", () => {
    const { item } = read("https://journal.example/1", "<p>The <b>volume</b> 12 of the <b>number</b> 3</p>");
    expect(item).not.toHaveProperty("volume");
    expect(item).not.toHaveProperty("issue");
  });

  it("a description that is cut, and the section of the abstract → the whole", () => {
    const section = `<div class="abstract"><h3>Abstract</h3><p>${whole}</p></div>`;
    const { item, problems } = read("https://journal.example/1", description + section);
    expect(item.abstractNote).toBe(whole);
    expect(problems).toEqual([]);
  });
});
