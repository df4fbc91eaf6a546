import { expect, it } from "vitest";
import { normalisePages, parsePageNumbers } from "../../../../shared/harvest/convert/page-numbers.ts";

it.for([
  ["12–14", "12-14"],
  ["12-12", "12"],
  ["12–12", "12"],
  ["a-a", "a-a"],
] as const)("normalisePages: %s → %s", ([pages, expected]) => {
  expect(normalisePages(pages)).toBe(expected);
});

it.for([
  ["1-20", undefined, { stated: "1-20" }],
  ["xii", undefined, { stated: "xii", arabic: "12" }],
  ["VII-IX", undefined, { stated: "VII-IX", arabic: "7-9" }],
  ["xii-14", undefined, { stated: "xii-14" }],
  ["", undefined, { stated: "" }],
  ["article 17", undefined, { stated: "", articleId: "17" }],
  ["e55", "e55", { stated: "", articleId: "e55" }],
  ["1-20", "e55", { stated: "1-20", articleId: "e55" }],
  ["article 17", "e55", { stated: "article 17", articleId: "e55" }],
] as const)("parsePageNumbers: %s with the note %s → %j", ([pages, articleIdNote, expected]) => {
  expect(parsePageNumbers(pages, articleIdNote)).toEqual(expected);
});
