import { describe, expect, it } from "vitest";
import { fieldsOf, item, note } from "./fixtures.ts";

describe("the fields of notes", () => {
  it("an ORCID iD, of a person who is linked → the authority number alone", () => {
    const creators = [{ firstName: "Max", lastName: "Weber", creatorType: "author" }];
    const items = [{ ...item, creators }, note("orcid:0000-0002-1825-0097 | Max Weber")];
    expect(fieldsOf("100", items)).toEqual(["1_$0(DE-588)118629743$4aut$aWeber, Max$eVerfasserIn"]);
  });

  it("notes of several kinds, each named by a custom field → the fields, one for each note", () => {
    const addFields = ["5203 \u001fa%abs%", "5203 \u001fa%abs1%", "24631\u001fa%additional_title%"];
    const notes = ["abs:One", "abs:Two", "abs1:Three", "additional_title:Bees and more", "artikelID:e1"];
    const change = { settings: { filters: { addFields } } };
    const items = [item, ...notes.map(note)];
    expect(fieldsOf("520", items, change)).toEqual(["3_$aOne", "3_$aTwo", "3_$aThree"]);
    expect(fieldsOf("246", items, change)).toEqual(["31$aBees and more"]);
    // The original knows the id of an article by "articleid" only.
    expect(fieldsOf("936", items, change)).toEqual(["uw$d12$e3$h1-20$j2021"]);
  });

  it.for<[string, string, string[]]>([
    ["pages beside it → both", "1-20", ["uw$d12$e3$ie9$h1-20$j2021"]],
    ["the same as pages → no pages", "e9", ["uw$d12$e3$ie9$j2021"]],
  ])("an article id with %s", ([, pages, expected]) => {
    expect(fieldsOf("936", [{ ...item, pages }, note("articleid:e9")])).toEqual(expected);
  });

  it.for<[string, string, string, string[]]>([
    [
      "LF → free",
      "LF:",
      "856",
      ["40$uhttps://example.org/bees/1$zLF", "40$uhttps://doi.org/10.1234/bees.1$zLF"],
    ],
    [
      "an ORCID iD → with its person",
      "orcid:0000-0001-0000-000x | Ada Miller | x",
      "100",
      ["1_$0(orcid)0000-0001-0000-000x$4aut$aMiller, Ada$eVerfasserIn"],
    ],
    [
      "an article id → 936 and 773",
      "articleid:e9",
      "773",
      ["08$iIn: $tJournal of Bees$x2049-3630$w(DE-627)320636356$g12 (2021), 3, Artikel e9, Seite 1-20"],
    ],
    ["one that a custom field names → the field", "abs:Key: value", "520", ["3_$aKey: value"]],
  ])("a note with %s", ([, text, tag, expected]) => {
    const settings = { filters: { addFields: ["5203 \u001fa%abs%"] } };
    expect(fieldsOf(tag, [item, note(text)], { settings })).toEqual(expected);
  });

  it("a note with a subfield mark → no subfield of its own", () => {
    const settings = { filters: { addFields: ["5203 \u001fa%abs%"] } };
    expect(fieldsOf("520", [item, note("abs:a\u001fbc")], { settings })).toEqual(["3_$aa bc"]);
  });
});
