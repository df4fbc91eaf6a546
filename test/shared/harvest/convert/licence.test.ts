import { expect, it } from "vitest";
import { licenceOf } from "../../../../shared/harvest/convert/licence.ts";
import type { NewSource } from "../../../../shared/sources/source.ts";
import { contextOf } from "./fixtures.ts";

const print = { issn: "1234-5679", ppn: "1" };

it.for<[string, Partial<NewSource>, boolean, string]>([
  ["a free journal", { license: "LF" }, false, "LF"],
  ["one that is free by cooperation, with a free page", { license: "KF" }, true, "KF"],
  ["an unknown licence, with a free page", { license: "ZZ" }, true, "LF"],
  ["an unknown licence", { license: "ZZ" }, false, "ZZ"],
  ["a licence that is not given, with a free page", { license: "KW" }, true, "LF"],
  ["a licence that is not given", { license: "KW" }, false, "ZZ"],
  ["none named, with a free page", {}, true, "LF"],
  ["none named", {}, false, "ZZ"],
  ["none named, the print ISSN listed", { print }, false, "KF"],
  ["none named, the online ISSN listed too", { print, online: { issn: "2222-2222", ppn: "2" } }, false, "LF"],
  ["an unknown licence named, the ISSN listed", { license: "ZZ", print }, false, "ZZ"],
])("%s → %3$s", ([, source, isPageFree, expected]) => {
  const { source: journal, settings } = contextOf({
    source,
    settings: { licences: { "1234-5679": "KF", "2222-2222": "LF" } },
  });
  const notes = new Map(isPageFree ? [["LF", [""]]] : []);
  expect(licenceOf(journal, settings, notes)).toBe(expected);
});
