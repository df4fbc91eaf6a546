import { describe, expect, it } from "vitest";
import type { ZoteroItem } from "../../../../shared/formats/zotero-item.ts";
import { fieldsOf, item } from "./fixtures.ts";

describe("the fields of an item", () => {
  it.for<[string, Partial<ZoteroItem>, string, string[]]>([
    ["no date → no year", { date: "" }, "264", []],
    ["another kind of item → its date", { itemType: "blogPost" }, "362", ["__$a2021-05-06"]],
    ["an article → no date beside the year", {}, "362", []],
    ["a review of another kind → no date either", { itemType: "blogPost", title: "Review" }, "362", []],
    ["a note of another kind → no date either", { itemType: "blogPost", title: "Editorial" }, "362", []],
    ["a month → its first day", { itemType: "blogPost", date: "2021-05" }, "362", ["__$a2021-05-01"]],
    ["a year → its first day", { itemType: "blogPost", date: "2021" }, "362", ["__$a2021-01-01"]],
    ["a language with its region → the language", { language: "EN_gb" }, "041", ["__$aeng"]],
    ["no language → none", { language: "" }, "041", []],
    ["an abstract → as it is", { abstractNote: "On &amp; on" }, "520", ["__$aOn & on"]],
    ["no abstract → none", { abstractNote: "" }, "520", []],
    [
      "a URL with tracking parameters → without them",
      { url: "https://example.org/bees?id=1&utm_source=rss&af=R", DOI: "" },
      "856",
      ["40$uhttps://example.org/bees?id=1$zZZ"],
    ],
    [
      "the rights of a free licence → LF",
      { DOI: "", rights: "https://creativecommons.org/licenses/by/4.0/" },
      "856",
      ["40$uhttps://example.org/bees/1$zLF"],
    ],
    ["no URL → the DOI's alone", { url: "" }, "856", ["40$uhttps://doi.org/10.1234/bees.1$zZZ"]],
    [
      "a URL of another scheme → the DOI's",
      { url: "javascript:alert(1)" },
      "856",
      ["40$uhttps://doi.org/10.1234/bees.1$zZZ"],
    ],
    [
      "an invalid URL → the harvested page",
      { url: "not a url" },
      "URL",
      ["__$ahttps://example.org/harvested"],
    ],
    ["no URL → the harvested page", { url: "" }, "URL", ["__$ahttps://example.org/harvested"]],
    [
      "the URL of the DOI → once",
      { url: "https://doi.org/10.1234/bees.1" },
      "856",
      ["40$uhttps://doi.org/10.1234/bees.1$zZZ"],
    ],
    ["a DOI as URL → plain", { DOI: "https://doi.org/10.1234/x" }, "024", ["7_$a10.1234/x$2doi"]],
    [
      "a DOI in a publisher's URL → plain",
      { DOI: "https://p.example/doi/10.1234/x" },
      "024",
      ["7_$a10.1234/x$2doi"],
    ],
    ["an invalid DOI → no 024", { DOI: "garbage" }, "024", []],
    ["an invalid DOI → no URL in 856", { DOI: "garbage" }, "856", ["40$uhttps://example.org/bees/1$zZZ"]],
    ["a DOI after doi: → plain", { DOI: "doi: 10.1234/x" }, "024", ["7_$a10.1234/x$2doi"]],
    ["no issue → volume alone", { issue: "" }, "936", ["uw$d12$h1-20$j2021"]],
    ["no volume → issue in its place", { volume: "" }, "936", ["uw$d3$h1-20$j2021"]],
    ["leading zeros → trimmed", { volume: "012", issue: "03" }, "936", ["uw$d12$e3$h1-20$j2021"]],
    [
      "neither → no statement",
      { volume: "", issue: "" },
      "773",
      ["__$iIn: $tJournal of Bees$x2049-3630$w(DE-627)320636356"],
    ],
    [
      "roman pages → arabic, with the statement",
      { pages: "vii-ix" },
      "936",
      ["uw$d12$e3$h7-9$j2021$y12 (2021), 3, Seite vii-ix"],
    ],
    ["an article number → no pages", { pages: "article e5" }, "936", ["uw$d12$e3$ie5$j2021"]],
    [
      "a review by title → genre",
      { title: "Review: Bees" },
      "655",
      ["_7$aRezension$0(DE-588)4049712-4$0(DE-627)106186019$2gnd-content"],
    ],
    ["a note by title → marked", { title: "Editorial" }, "NOT", ["__$a1"]],
    [
      "keywords → in order, translated, genres apart",
      { tags: [{ tag: "bees" }, { tag: "OBITUARY" }, { tag: "open access" }, { tag: "Bibliography" }] },
      "650",
      ["_4$abees", "_4$aNachruf", "_4$aBibliografie"],
    ],
    ["a genre among the keywords → 655", { tags: [{ tag: "open access" }] }, "655", ["_4$aopen access"]],
    [
      "markup and entities → plain",
      { title: "On <i>Bees</i> &amp;\n wasps" },
      "245",
      ["00$aOn Bees & wasps"],
    ],
    [
      "an unknown creator type → no relator",
      { creators: [{ firstName: "Max", lastName: "Weber", creatorType: "chef" }] },
      "100",
      ["1_$0(DE-588)118629743$aWeber, Max$eVerfasserIn"],
    ],
    [
      "a linked person → 887 too",
      { creators: [{ firstName: "Max", lastName: "Weber", creatorType: "author" }] },
      "887",
      ["__$aAutor in der Zoterovorlage [Weber, Max] maschinell zugeordnet$2tszom"],
    ],
    [
      "a creator without a type → no relator",
      { creators: [{ firstName: "Ada", lastName: "Miller", creatorType: "" }] },
      "100",
      ["1_$aMiller, Ada$eVerfasserIn"],
    ],
    ["nobody → no person", { creators: [] }, "100", []],
    [
      "an invisible name → no person",
      { creators: [{ firstName: "\u200b", lastName: "\u200b\u200d", creatorType: "author" }] },
      "100",
      [],
    ],
    [
      "the print edition's ISSN in the item → that of the configuration",
      { ISSN: "9999-9999", publicationTitle: "Another" },
      "773",
      ["08$iIn: $tJournal of Bees$x2049-3630$w(DE-627)320636356$g12 (2021), 3, Seite 1-20"],
    ],
    [
      "pages from a page to itself → that page",
      { pages: "12–12" },
      "773",
      ["08$iIn: $tJournal of Bees$x2049-3630$w(DE-627)320636356$g12 (2021), 3, Seite 12"],
    ],
    [
      "further persons → 700 in order",
      { creators: ["A", "B", "C"].map((x) => ({ firstName: x, lastName: x, creatorType: "editor" })) },
      "700",
      ["1_$4edt$aB, B$eVerfasserIn", "1_$4edt$aC, C$eVerfasserIn"],
    ],
    [
      "titles and numbers → apart",
      { creators: [{ firstName: "Fr. John", lastName: "Smith III", creatorType: "author" }] },
      "100",
      ["1_$4aut$aSmith, John$bIII.$cFr.$eVerfasserIn"],
    ],
  ])("%s", ([, change, tag, expected]) => {
    const settings = { reviewRegex: "^Review", notesRegex: "^Editorial$", genreKeywords: ["Open Access"] };
    expect(fieldsOf(tag, [{ ...item, ...change }], { settings })).toEqual(expected);
  });

  it("a long abstract → cut between characters, with dots", () => {
    const [abstract = ""] = fieldsOf("520", [{ ...item, abstractNote: "ä".repeat(6000) }]);
    expect(abstract).toBe(`__$a${"ä".repeat(4995)}...`);
  });
});
