import { expect, it } from "vitest";
import { findFeedLink } from "../../../local/harvest/find-feed-link.ts";

const rss = '<link rel="alternate" type="application/rss+xml" href="/feed">';
const atom = '<link rel="ALTERNATE home" type="application/atom+xml; charset=utf-8" href="atom.xml">';

it.each([
  ["a home page", rss, "http://j.example/feed"],
  ["two feeds → the first", `${atom}${rss}`, "http://j.example/issue/atom.xml"],
  [
    "a feed of comments first",
    rss.replace("<link", '<link title="All Comments"') + atom,
    "http://j.example/issue/atom.xml",
  ],
  ["social metadata", `<meta property="og:title" content="Journal">${rss}`, "http://j.example/feed"],
  ["an article with a feed", `<meta name="citation_title" content="An article">${rss}`, undefined],
  ["another language", '<link rel="alternate" hreflang="de" href="/de">', undefined],
  ["an icon", '<link rel="icon" type="application/rss+xml" href="/feed">', undefined],
  ["a script for an address", rss.replace("/feed", "javascript:alert(1)"), undefined],
])("%s", (_title, head, expected) => {
  const page = `<!doctype html><html><head><title>J</title>${head}</head><body></body></html>`;
  const found = findFeedLink(new TextEncoder().encode(page), {
    url: "http://j.example/issue/",
    contentType: "text/html",
  });
  expect(found?.href).toBe(expected);
});
