import { describe, expect, it } from "vitest";
import { recognise } from "../../../../shared/harvest/detect/recognise.ts";

const rss = '<link rel="alternate" type="application/rss+xml" href="/feed">';
const atom = '<link rel="ALTERNATE home" type="application/atom+xml; charset=utf-8" href="atom.xml">';

const recognised = (text: string, contentType = "text/html") =>
  recognise(new TextEncoder().encode(text), { url: "http://j.example/issue/", contentType });

it.each([
  ["a home page", rss, ["http://j.example/feed"]],
  [
    "two feeds → both in order",
    `${atom}${rss}`,
    ["http://j.example/issue/atom.xml", "http://j.example/feed"],
  ],
  [
    "a feed of comments",
    rss.replace("<link", '<link title="All Comments"') + atom,
    ["http://j.example/issue/atom.xml"],
  ],
  ["social metadata", `<meta property="og:title" content="Journal">${rss}`, ["http://j.example/feed"]],
  ["another language", '<link rel="alternate" hreflang="de" href="/de">', []],
  ["an icon", '<link rel="icon" type="application/rss+xml" href="/feed">', []],
  ["a script for an address", rss.replace("/feed", "javascript:alert(1)"), []],
  [
    "a plain link to a feed",
    '<a href="/news/rss.xml">News</a><a href="/feedback">Us</a>',
    ["http://j.example/news/rss.xml"],
  ],
  ["a feed twice", `${rss}<a href="/feed">RSS</a>`, ["http://j.example/feed"]],
  [
    "a link to a repository, after feeds",
    '<a href="/oai?verb=Identify">OAI</a><a href="/?format=atom">Atom</a>',
    ["http://j.example/?format=atom", "http://j.example/oai?verb=Identify"],
  ],
])("%s → the lists that it offers", (_title, head, lists) => {
  const found = recognised(`<!doctype html><html><head><title>J</title>${head}</head><body></body></html>`);
  expect(found).toEqual({ type: "page", title: "J", lists: lists.map((url) => new URL(url)) });
});

describe("an address", () => {
  const entry = "<item><title>A</title><link>http://j.example/a</link></item>";
  const oai = '<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">';
  it.each([
    [
      "a feed",
      `<rss version="2.0"><channel><title> New\n issues</title>${entry}</channel></rss>`,
      { type: "feed", title: "New issues", entries: 1 },
    ],
    [
      "an article with a feed",
      `<html><head><title>T</title><meta name="citation_title" content="An article">${rss}</head></html>`,
      { type: "article", title: "T" },
    ],
    ["a sitemap", "<urlset><url><loc>http://j.example/a</loc></url></urlset>", { type: "sitemap", pages: 1 }],
    [
      "a repository",
      `${oai}<responseDate>2026-11-20T10:00:00Z</responseDate><request verb="Identify">http://j.example/oai</request><Identify><repositoryName>Rep</repositoryName></Identify></OAI-PMH>`,
      { type: "oai-pmh", title: "Rep" },
    ],
    [
      "a repository that was asked nothing",
      `${oai}<responseDate>2026-11-20T10:00:00Z</responseDate><request>http://j.example/oai</request><error code="badVerb">none</error></OAI-PMH>`,
      { type: "oai-pmh" },
    ],
    ["other XML", "<svg/>", { type: "unknown", detail: expect.any(String) }],
    ["nothing", "", { type: "unknown", detail: expect.any(String) }],
  ])("of %s → recognised", (_what, text, found) => {
    expect(recognised(text, "application/xml")).toEqual(found);
  });
});
