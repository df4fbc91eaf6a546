import { describe, expect, it } from "vitest";
import { importIni } from "../../../../shared/records/sources/conf/import-ini.ts";
import { readEnhancementMap } from "../../../../shared/records/sources/enhancement-map.ts";
import { readLicenceMap } from "../../../../shared/records/sources/licence.ts";
import { configuration, journal } from "./fixtures.ts";

describe("readEnhancementMap", () => {
  it.for<[string, string, [string, string][]]>([
    [
      "a comment and blanks",
      "a=1 # one\n\n# none\n  b=2\r\n",
      [
        ["a", "1"],
        ["b", "2"],
      ],
    ],
    ["an escaped sign", "a\\=b=c\\\\d", [["a=b", "c\\d"]]],
    ["a key twice", "a=1\na=2", [["a", "2"]]],
    ["nothing", "", []],
  ])("%s → its entries", ([, text, entries]) => {
    expect(readEnhancementMap(text)).toMatchObject({ type: "read", entries: new Map(entries) });
  });

  it("repeated keys → listed once", () => {
    expect(readEnhancementMap("a=1\na=2\nb=1\na=3")).toMatchObject({ repeated: ["a"] });
  });

  it.for(["a", "a=", "=1", "a=1=2", "a=1\\"])("%s → refused with its line", (line) => {
    expect(readEnhancementMap(`x=1\n${line}`)).toEqual({
      type: "refused",
      problem: `line 2 is not "key=value": "${line}"`,
    });
  });
});

describe("the map of licences", () => {
  it("l → LF", () => {
    expect(readLicenceMap("1234-5679=l # A journal")).toEqual({
      type: "read",
      licences: { "1234-5679": "LF" },
    });
  });

  it("another code → refused with the ISSN", () => {
    expect(readLicenceMap("1234-5679=x")).toEqual({
      type: "refused",
      problem: 'ISSN 1234-5679 has the unknown licence "x"',
    });
  });

  it("beside a configuration → part of the settings", () => {
    const imported = importIni(configuration(journal), { licences: "1234-5679=l" });
    expect(imported).toMatchObject({ settings: { licences: { "1234-5679": "LF" } } });
  });

  it("with probable mistakes, beside a configuration → a warning of each kind", () => {
    const licences = "2049-3630=l\n1868107620=l\n2049-3631=l\n2049-3630=l";
    expect(importIni(configuration(journal), { licences })).toMatchObject({
      type: "imported",
      warnings: [
        "ISSN_to_licence.map: not an ISSN such as 1234-567X: 1868107620",
        "ISSN_to_licence.map: an ISSN with a wrong check digit: 2049-3631",
        "ISSN_to_licence.map: repeated, the last line counts: 2049-3630",
      ],
    });
  });

  it("that is invalid, beside a configuration → the file is refused and the map named", () => {
    expect(importIni(configuration(journal), { licences: "1234-5679" })).toMatchObject({
      type: "refused",
      problems: [{ message: 'ISSN_to_licence.map: line 1 is not "key=value": "1234-5679"' }],
    });
  });
});
