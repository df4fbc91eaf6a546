import { describe, expect, it } from "vitest";
import type { ZoteroCreator } from "../../../../shared/formats/zotero-item.ts";
import type { NewGroup } from "../../../../shared/records/sources/group.ts";
import type { NewSource } from "../../../../shared/records/sources/source.ts";
import { fieldsOf, item } from "./fixtures.ts";

const zota = "__$azota$2LOK";
const tiep = "__$atiep$2LOK";

describe("the fields by source and group", () => {
  it.for<[string, Partial<NewSource>, string, string[]]>([
    ["print edition alone → 007 tu", { online: undefined, print: { issn: "1", ppn: "2" } }, "007", ["tu"]],
    [
      "both editions → the online one",
      { print: { issn: "1", ppn: "2" } },
      "773",
      ["08$iIn: $tJournal of Bees$x2049-3630$w(DE-627)320636356$g12 (2021), 3, Seite 1-20"],
    ],
    [
      "a plain feed → neither ISSN nor PPN",
      { online: undefined, zederId: undefined },
      "773",
      ["08$iIn: $tJournal of Bees$g12 (2021), 3, Seite 1-20"],
    ],
    ["a plain feed → online", { online: undefined, zederId: undefined }, "007", ["cr|||||"]],
    ["a plain feed → no Zeder id", { online: undefined, zederId: undefined }, "ZID", []],
    ["no collection focus → none", { ssgn: undefined }, "084", []],
    ["one that objects have besides → none", { ssgn: "constructor" }, "084", []],
    ["the other collection focus → it", { ssgn: "FG_0" }, "084", ["__$a0$2ssgn"]],
    ["both focuses in one → one number", { ssgn: "FG_2,1" }, "084", ["__$a2,1$2ssgn"]],
    ["two collection focuses → both", { ssgn: "FG_0/1" }, "084", ["__$a0$a1$2ssgn"]],
    ["selective evaluation → no focus", { selectiveEvaluation: true }, "084", []],
    [
      "selective evaluation → its mark",
      { selectiveEvaluation: true },
      "935",
      ["__$atxzs$2LOK", "__$azota$2LOK", "__$aNABZ$2LOK"],
    ],
    [
      "additional selectors → before zota",
      { additionalSelectors: ["BIIN"] },
      "935",
      ["__$amtst", "__$atxzs$2LOK", "__$aBIIN", "__$azota$2LOK"],
    ],
    [
      "deep indexing, persons not linked → its mark",
      { tiefp: "J" },
      "935",
      ["__$amtst", "__$atxzs$2LOK", "__$azota$2LOK", "__$atiep$2LOK"],
    ],
    ["pages count as an issue → marked", { pagesNotOnlineFirst: true }, "PNO", ["__$a1"]],
    [
      "a free journal → LF",
      { license: "LF" },
      "856",
      ["40$uhttps://example.org/bees/1$zLF", "40$uhttps://doi.org/10.1234/bees.1$zLF"],
    ],
    [
      "forced languages → all",
      { expectedLanguages: { mode: "force", codes: ["ger", "eng"] } },
      "041",
      ["__$ager", "__$aeng"],
    ],
  ])("%s", ([, change, tag, expected]) => {
    expect(fieldsOf(tag, [item], { source: change })).toEqual(expected);
  });

  it.for<[string, Partial<NewGroup>, string, string[]]>([
    ["without a local mark → the subject's alone", { localMark: undefined }, "935", ["__$amtst", zota]],
    ["without a subject mark → the local one", { subjectMark: undefined }, "935", ["__$atxzs$2LOK", zota]],
    ["with its own Zeder instance → that", { zederInstance: "other" }, "ZID", ["__$a7$bother"]],
    ["with a field for all records → the field", { addFields: ["9XX  \u001faOurs"] }, "9XX", ["__$aOurs"]],
    ["→ its institution", {}, "852", ["__$aDE-1"]],
  ])("a group %s", ([, group, tag, expected]) => {
    expect(fieldsOf(tag, [item], { group })).toEqual(expected);
  });

  it.for<[string, ZoteroCreator[], string[]]>([
    [
      "a person who is not linked → a mark",
      [{ firstName: "Ada", lastName: "Miller", creatorType: "author" }],
      [zota, tiep],
    ],
    ["all persons linked → none", [{ firstName: "Max", lastName: "Weber", creatorType: "author" }], [zota]],
    ["nobody → none", [], [zota]],
  ])("deep indexing, %s", ([, creators, expected]) => {
    const group = { subjectMark: undefined, localMark: undefined };
    expect(fieldsOf("935", [{ ...item, creators }], { source: { tiefp: "J" }, group })).toEqual(expected);
  });

  it("deep indexing, a review → no mark", () => {
    const change = {
      source: { tiefp: "J", reviewRegex: "Bees" },
      group: { subjectMark: undefined, localMark: undefined },
    };
    expect(fieldsOf("935", [item], change)).toEqual([zota]);
  });
});
