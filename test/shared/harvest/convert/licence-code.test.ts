import { expect, it } from "vitest";
import { chooseLicenceCode } from "../../../../shared/harvest/convert/licence-code.ts";
import type { NewSource } from "../../../../shared/records/sources/source.ts";
import { contextOf } from "./fixtures.ts";

const print = { issn: "1234-5679", ppn: "1" };

it.for<[string, string, Partial<NewSource>, boolean]>([
  ["a free journal", "LF", { license: "LF" }, false],
  ["one that is free by cooperation, with a free page", "KF", { license: "KF" }, true],
  ["an unknown licence, with a free page", "LF", { license: "ZZ" }, true],
  ["an unknown licence", "ZZ", { license: "ZZ" }, false],
  ["a licence that is not given, with a free page", "LF", { license: "KW" }, true],
  ["a licence that is not given", "ZZ", { license: "KW" }, false],
  ["none named, with a free page", "LF", {}, true],
  ["none named", "ZZ", {}, false],
  ["none named, the print ISSN listed", "KF", { print }, false],
  ["none named, the online ISSN listed too", "LF", { print, online: { issn: "2222-2222", ppn: "2" } }, false],
  ["an ISSN that objects have besides", "ZZ", { online: { issn: "constructor", ppn: "2" } }, false],
  ["an unknown licence named, the ISSN listed", "ZZ", { license: "ZZ", print }, false],
])("%s → %s", ([, expected, source, isPageFree]) => {
  const { source: journal, settings } = contextOf({
    source,
    settings: { licences: { "1234-5679": "KF", "2222-2222": "LF" } },
  });
  const notes = new Map(isPageFree ? [["LF", [""]]] : []);
  expect(chooseLicenceCode(journal, settings, { notes, rights: "© 2024 The Authors" })).toBe(expected);
});

it("no licence configured, an item whose rights name a free one → LF", () => {
  const { source: journal, settings } = contextOf({});
  const rights = "© 2024 The Authors; https://creativecommons.org/licenses/by-nc/4.0/";
  expect(chooseLicenceCode(journal, settings, { notes: new Map(), rights })).toBe("LF");
});
