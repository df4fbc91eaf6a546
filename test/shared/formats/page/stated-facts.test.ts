import { describe, expect, it } from "vitest";
import { readPageItem } from "../../../../shared/formats/page/read-page.ts";

const url = "https://journal.example/1";
const by = "https://creativecommons.org/licenses/by/4.0/";

function itemOf(markup: string) {
  const html = `<!doctype html><title>On bees</title>${markup}`;
  const reading = readPageItem(new TextEncoder().encode(html), { url });
  return reading.type === "item" ? reading.item : reading;
}

const ld = (licence: unknown) =>
  `<script type="application/ld+json">${JSON.stringify({ "@type": "Article", headline: "On bees", license: licence })}</script>`;

describe("a free licence", () => {
  it.for<[string, string]>([
    ["dc.rights", `<meta name="dc.rights" content="${by}">`],
    ["a slogan", '<meta name="dc.rights" content="Some rights reserved: CC BY 4.0">'],
    ["DCTERMS.license", `<meta name="DCTERMS.license" content="${by}">`],
    ["citation_license", `<meta name="citation_license" content="${by}">`],
    ["link rel=license", `<link rel="license" href="${by}">`],
    ["a link in the text with rel=license", `<p><a rel="license noopener" href="${by}">CC</a>`],
    ["a link of microdata", `<p><a itemprop="license" href="${by}">CC</a>`],
    [
      "a link in the part that states the rights",
      `<div class="LicenseInfo">Under <a href="${by}">CC</a></div>`,
    ],
    ["JSON-LD, as a URL", ld(by)],
    ["JSON-LD, as an object with a name", ld({ "@type": "CreativeWork", name: "Attribution 4.0", url: by })],
  ])("in %s → the note LF", ([, markup]) => {
    expect(itemOf(markup)).toMatchObject({ notes: [{ note: "LF:" }] });
  });

  it.for<[string, string]>([
    ["an image in the footer", `<footer><p><a rel="license" href="${by}"><img src="by.png"></a></footer>`],
    [
      "a footer by its class",
      `<div class="site-footer"><div></div><a rel="license" href="${by}">CC</a></div>`,
    ],
    ["the sidebar", `<aside><a rel="license" href="${by}">CC</a></aside>`],
    ["a link in the text", `<p>See <a href="${by}">this licence</a></p>`],
    ["exceptions", `<meta name="dc.rights" content="Unless otherwise noted, CC BY 4.0">`],
    ["a denial", `<meta name="dc.rights" content="Not under a Creative Commons Attribution licence">`],
  ])("%s → no note", ([, markup]) => {
    expect(itemOf(markup)).toMatchObject({ notes: [] });
  });

  it("a footer that is over → a licence behind it counts", () => {
    const markup = `<div class="footer"><div></div></div><a rel="license" href="${by}">CC</a>`;
    expect(itemOf(markup)).toMatchObject({ notes: [{ note: "LF:" }] });
  });

  it("a copyright alone → no note", () => {
    expect(itemOf('<meta name="citation_copyright" content="© 2024 J">')).toMatchObject({ notes: [] });
  });
});

describe("one keyword with a comma", () => {
  const jsonLd = (keywords: unknown) =>
    `<script type="application/ld+json">${JSON.stringify({ "@type": "Article", headline: "On bees", keywords })}</script>`;
  const whole = ["Physics, general"];
  it.for<[string, string, string[]]>([
    ["dc.subject → whole", '<meta name="dc.subject" content="Physics, general">', whole],
    ["citation_keyword → whole", '<meta name="citation_keyword" content="Physics, general">', whole],
    ["article:tag → whole", '<meta property="article:tag" content="Physics, general">', whole],
    ["a list of JSON-LD → whole", jsonLd(whole), whole],
    ["a text of JSON-LD → two", jsonLd("Physics, general"), ["Physics", "general"]],
    [
      "citation_keywords → two",
      '<meta name="citation_keywords" content="Physics, general">',
      ["Physics", "general"],
    ],
  ])("in %s", ([, markup, keywords]) => {
    const item = itemOf(markup);
    expect("tags" in item && item.tags?.map(({ tag }) => tag)).toEqual(keywords);
  });
});

describe("dc.Type that is not a type of Zotero", () => {
  const creator = '<meta name="dc.Creator" content="Pell, Ada">';
  const doi = '<meta name="dc.Identifier" scheme="doi" content="10.1000/182">';
  it.for<[string, string, string]>([
    [
      "other, with authors and a DOI → an article",
      `${creator}${doi}<meta name="dc.Type" content="other">`,
      "journalArticle",
    ],
    [
      "brief-report → an article",
      `${creator}${doi}<meta name="dc.Type" content="brief-report">`,
      "journalArticle",
    ],
    ["a dataset → none", `${creator}${doi}<meta name="dc.Type" content="Dataset">`, "webpage"],
    ["other, without a DOI → none", `${creator}<meta name="dc.Type" content="other">`, "webpage"],
    ["other, without authors → none", `${doi}<meta name="dc.Type" content="other">`, "webpage"],
    ["no type → none", `${creator}${doi}`, "webpage"],
  ])("%s", ([, markup, itemType]) => {
    expect(itemOf(`<meta name="dc.Title" content="On bees">${markup}`)).toMatchObject({ itemType });
  });
});

describe("what the source says of a name", () => {
  const json = (author: object) =>
    `<script type="application/ld+json">${JSON.stringify({ "@type": "ScholarlyArticle", headline: "On bees", author })}</script>`;
  it.for<[string, string, object]>([
    [
      "the type Organization",
      json({ "@type": "Organization", name: "Google" }),
      { name: "Google", kind: "body" },
    ],
    ["a type below it", json({ "@type": "CollegeOrUniversity", name: "MIT" }), { name: "MIT", kind: "body" }],
    [
      "an identifier of ROR",
      json({ name: "Google", sameAs: "https://ror.org/024bc3e07" }),
      { name: "Google", kind: "body" },
    ],
    [
      "the type Person, of a name with a word of bodies",
      json({ "@type": "Person", givenName: "Ada", familyName: "Council of" }),
      { firstName: "Ada", lastName: "Council of", kind: "person" },
    ],
    [
      "a corporate name in Dublin Core",
      '<meta name="DC.Creator.CorporateName" content="Google"><meta name="DC.title" content="On bees">',
      { name: "Google", kind: "body" },
    ],
    [
      "an author that is its own institution",
      '<meta name="citation_author" content="Jane Doe"><meta name="citation_author" content="Blue Bird"><meta name="citation_author_institution" content="Blue Bird">',
      { name: "Blue Bird", kind: "body" },
    ],
  ])("%s → decides", ([, markup, creator]) => {
    expect(itemOf(markup)).toMatchObject({
      creators: expect.arrayContaining([{ creatorType: "author", ...creator }]),
    });
  });
});
