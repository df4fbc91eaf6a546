import { describe, expect, it } from "vitest";
import { validateRecord } from "../../../../../shared/deliver/validation/validate-record.ts";
import { crosswalkFormat } from "../../../../../shared/harvest/convert/crosswalks/convert-document.ts";
import { findStructureProblem } from "../../../../../shared/marc/record-structure.ts";
import { openCorpus } from "../../../../corpus.ts";
import {
  controlValue,
  convert,
  documentUrl,
  fieldsWith,
  mods,
  qualifiedDc,
  recordOf,
} from "./crosswalk-cases.ts";

const marc = (more = "") =>
  `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000cam a2200000 i 4500</leader><controlfield tag="001">42</controlfield><controlfield tag="003">DE-7</controlfield><controlfield tag="008">070614s1999    gw ||||| |||| 00||||ger||</controlfield><datafield tag="040" ind1=" " ind2=" "><subfield code="a">FUG</subfield></datafield><datafield tag="245" ind1="0" ind2="0"><subfield code="a">T /</subfield></datafield>${more}</record>`;

describe("a document", () => {
  it.each([
    ["Dublin Core", qualifiedDc("<dc:identifier>https://a.example/1</dc:identifier>")],
    ["MODS", mods("<location><url>https://a.example/1</url></location>")],
  ])("of %s → the fields that articles of its source have, too; valid", (_title, raw) => {
    const record = recordOf(raw);
    expect(fieldsWith(record, "040", "084", "852", "912", "935", "JOU", "URL", "ZID")).toEqual([
      "040 __ $aDE-627$bger$cDE-627$erda",
      "084 __ $a1$2ssgn",
      "852 __ $aDE-1",
      "912 __ $aNOMM",
      "935 __ $amtst",
      "935 __ $atxzs$2LOK",
      "935 __ $azota$2LOK",
      "JOU __ $aJournal of Bees",
      "URL __ $ahttps://a.example/1",
      "ZID __ $a7$btest",
    ]);
    expect(controlValue(record, "003")).toBe("DE-1");
    expect(controlValue(record, "001")).toMatch(/^Test#2026-11-20#[0-9A-F]{40}$/);
    expect(validateRecord(record)).toEqual({ outcome: "valid", findings: [] });
  });

  it("that names no page → URL is where it was harvested", () => {
    expect(fieldsWith(recordOf(qualifiedDc("")), "URL", "856")).toEqual([`URL __ $a${documentUrl}`]);
  });

  it("converted on another day → the same hash", () => {
    const [one, other] = [convert(qualifiedDc("")), convert(qualifiedDc(""))];
    expect(one).toEqual(other);
  });

  it("of a source with one language, without its own → that language", () => {
    const source = { expectedLanguages: { codes: ["ger"] } };
    expect(fieldsWith(recordOf(qualifiedDc(""), { source }), "041")).toEqual(["041 __ $ager"]);
    expect(fieldsWith(recordOf(qualifiedDc("<dc:language>en</dc:language>"), { source }), "041")).toEqual([
      "041 __ $aeng",
    ]);
  });

  it("custom fields and record filters apply", () => {
    const change = {
      source: {
        filters: { addFields: ["887  \u001faX"], removeFields: [{ tag: "042", code: "a", pattern: "dc" }] },
      },
    };
    const record = recordOf(qualifiedDc(""), change);
    expect(fieldsWith(record, "042", "887")).toEqual(["887 __ $aX"]);
  });

  it.each([
    ["without a title", qualifiedDc("").replace("<dc:title>T</dc:title>", ""), "malformed"],
    ["with an empty title", mods("").replace(">T<", "> <"), "no-title"],
    ["that is broken", qualifiedDc("<dc:a>"), "malformed"],
    ["of another format", "<mets xmlns='http://www.loc.gov/METS/'/>", "no-crosswalk"],
    ["that is not XML", "T", "no-crosswalk"],
    ["of MARCXML without a record", '<collection xmlns="http://www.loc.gov/MARC21/slim"/>', "malformed"],
  ])("%s → dropped", (_title, raw, reason) => {
    expect(convert(raw)).toMatchObject({ type: "dropped", reason });
  });

  it.each([
    ['<?xml version="1.0"?><!-- a > b --><oai_dc:dc xmlns:oai_dc="x"/>', "dublin-core"],
    ['\uFEFF <mods xmlns="http://www.loc.gov/mods/v3"/>', "mods"],
    ["<record><header/></record>", undefined],
  ])("%s → %s", (raw, format) => {
    expect(crosswalkFormat(raw)).toBe(format);
  });
});

describe("MARCXML", () => {
  it("is taken as it is; 001 goes to 035, 007 is added, 040 stays", () => {
    const record = recordOf(marc());
    expect(record.leader).toBe("00000cam a2200000 i 4500");
    expect(fieldsWith(record, "035", "040", "245")).toEqual([
      "035 __ $a(DE-7)42",
      "040 __ $aFUG",
      "245 00 $aT /",
    ]);
    expect([controlValue(record, "003"), controlValue(record, "007")]).toEqual(["DE-1", "tu"]);
    expect(controlValue(record, "008")).toBe("070614s1999    gw ||||| |||| 00||||ger||");
  });

  it("without 008 → one that says nothing, as a record needs it", () => {
    const record = recordOf(marc().replace(/<controlfield tag="008">.*?<\/controlfield>/, ""));
    expect(controlValue(record, "008")).toBe("      nuuuuuuuuxx ||||||||||||||||||||||");
  });

  it("its number is in 035 already → once", () => {
    const more = '<datafield tag="035" ind1=" " ind2=" "><subfield code="a">(DE-7)42</subfield></datafield>';
    expect(fieldsWith(recordOf(marc(more)), "035")).toEqual(["035 __ $a(DE-7)42"]);
  });

  it("its page is the 856 of the resource itself", () => {
    const link = (second: string, url: string) =>
      `<datafield tag="856" ind1="4" ind2="${second}"><subfield code="u">${url}</subfield></datafield>`;
    const record = recordOf(marc(link("2", "https://a.example/toc") + link("0", "https://a.example/1")));
    expect(fieldsWith(record, "URL")).toEqual(["URL __ $ahttps://a.example/1"]);
    expect(controlValue(record, "007")).toBe("cr|||||");
  });
});

const corpus = openCorpus("oai");

it.skipIf(corpus.isAbsent)("a real MARCXML record → every field as it was", () => {
  const page = corpus.text("krikri_marcxml_record.xml");
  const raw = /<marc:record[\s\S]*?<\/marc:record>/.exec(page)?.[0] ?? "";
  const record = recordOf(raw);
  expect(findStructureProblem(record)).toBeUndefined();
  for (const [, tag] of raw.matchAll(/datafield tag="(\d+)"/g)) {
    expect(record.fields.filter(([each]) => each === tag).length, tag).toBeGreaterThanOrEqual(
      raw.split(`datafield tag="${tag}"`).length - 1,
    );
  }
});
