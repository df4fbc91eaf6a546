import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { findSitemaps, parseSitemap } from "../../../shared/formats/sitemap.ts";

const url = "https://j.example/sitemap.xml";
const urlset = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> https://j.example/1?a=1&amp;b=2 </loc><lastmod>2026-01-01</lastmod></url><url><loc>ftp://j.example/2</loc></url></urlset>`;

it.each<[string, string | Uint8Array, object]>([
  ["a list", urlset, { type: "pages", urls: ["https://j.example/1?a=1&b=2"] }],
  ["a list, compressed", gzipSync(urlset), { type: "pages", urls: ["https://j.example/1?a=1&b=2"] }],
  [
    "an index",
    '<s:sitemapindex xmlns:s="x"><s:sitemap><s:loc>https://j.example/m1.xml.gz</s:loc></s:sitemap></s:sitemapindex>',
    { type: "sitemaps", urls: ["https://j.example/m1.xml.gz"] },
  ],
  [
    "pages with images and videos",
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i" xmlns:video="v">
<url><loc>https://j.example/1</loc><image:image><image:loc>https://j.example/cover</image:loc></image:image></url>
<url><video:loc><loc>https://j.example/no</loc></video:loc><loc>https://j.example/2</loc></url></urlset>`,
    { type: "pages", urls: ["https://j.example/1", "https://j.example/2"] },
  ],
  ...(
    [
      ["an address in CDATA", urlset.replace(/<loc>(.*?)&amp;(.*?)<\/loc>/, "<loc><![CDATA[$1&$2]]></loc>")],
      ["blank lines before the declaration", `\n \r\n${urlset}`],
      ["a byte order mark and a blank line", `\ufeff\n${urlset}`],
      ["UTF-16 in little endian", Buffer.from(`\ufeff${urlset}`, "utf16le")],
      ["UTF-16 in big endian", Buffer.from(`\ufeff${urlset}`, "utf16le").swap16()],
      ["UTF-16, compressed", gzipSync(Buffer.from(`\ufeff${urlset}`, "utf16le"))],
    ] as const
  ).map(([what, content]): [string, string | Uint8Array, object] => [
    what,
    content,
    { type: "pages", urls: ["https://j.example/1?a=1&b=2"] },
  ]),
  ["a web page", "<html></html>", { type: "not-a-sitemap", detail: "begins with html" }],
  ["broken XML", "<urlset><url>", { type: "not-a-sitemap", detail: expect.stringContaining("unclosed") }],
  [
    "a broken archive",
    Uint8Array.of(0x1f, 0x8b, 8, 0, 1),
    { type: "not-a-sitemap", detail: "it cannot be unpacked" },
  ],
  [
    "a bomb",
    gzipSync(Buffer.alloc(60 * 1024 * 1024)),
    { type: "not-a-sitemap", detail: "it cannot be unpacked" },
  ],
])("%s → what it is", (_what, content, reading) => {
  const read = parseSitemap(typeof content === "string" ? new TextEncoder().encode(content) : content, url);
  expect("urls" in read ? { ...read, urls: read.urls.map(({ href }) => href) } : read).toEqual(reading);
});

it.each([
  [
    "User-agent: *\nSitemap: https://j.example/a.xml\nsitemap:https://j.example/b.xml # x\n",
    ["a.xml", "b.xml"],
  ],
  ["Sitemap: /relative.xml\n# Sitemap: https://j.example/c.xml\n", []],
])("robots.txt %j → its sitemaps", (robots, names) => {
  expect(findSitemaps(robots)).toEqual(names.map((name) => `https://j.example/${name}`));
});
