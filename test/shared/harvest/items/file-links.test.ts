import { expect, it } from "vitest";
import { fileUrlsOf } from "../../../../shared/harvest/items/file-links.ts";

const values = {
  identifier: ["doi:10.1/x", "https://r.example/17/", "https://r.example/17/a.pdf"],
  relation: [" https://r.example/17/a.pdf#page=2 ", "urn:isbn:1", "ftp://r.example/b.pdf"],
  format: ["application/pdf", "https://r.example/17/c.epub"],
};

it.each([
  ["no profile", {}, ["https://r.example/17/a.pdf", "https://r.example/17/"]],
  ["fields of its own", { fields: ["format"] }, ["https://r.example/17/c.epub"]],
  ["a pattern", { accepts: (url: string) => url.endsWith(".pdf") }, ["https://r.example/17/a.pdf"]],
  ["fields that are absent", { fields: ["source"] }, []],
])("%s → the absolute http(s) URLs of the fields, each once", (_what, profile, urls) => {
  expect(fileUrlsOf(values, profile)).toEqual(urls);
});
