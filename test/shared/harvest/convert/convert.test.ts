import { describe, expect, it } from "vitest";
import { convertItems, settleItems } from "../../../../shared/harvest/convert/convert.ts";
import type { DetectLanguage } from "../../../../shared/harvest/convert/languages.ts";
import type { ZoteroCreator, ZoteroItem } from "../../../../shared/harvest/item.ts";
import type { NewFilters } from "../../../../shared/sources/filters.ts";
import type { NewGroup } from "../../../../shared/sources/group.ts";
import type { NewSource } from "../../../../shared/sources/source.ts";
import { validateRecord } from "../../../../shared/validation/validate-record.ts";
import { contextOf, item } from "./fixtures.ts";

const today = "2026-11-20";
const zota = "__$azota$2LOK";
const tiep = "__$atiep$2LOK";

/** The fields with a tag, as `ii$a…$b…` with `_` for a blank indicator. */
function fieldsOf(tag: string, items: ZoteroItem[], change: Parameters<typeof contextOf>[0] = {}): string[] {
  const [conversion] = convertItems(items, contextOf(change), {
    today,
    authorities: new Map([["Weber, Max", { type: "identified", number: "118629743" }]]),
  });
  if (conversion?.type !== "converted")
    throw new Error(`dropped: ${conversion?.reason}, ${conversion?.detail}`);
  const { control, fields } = conversion.record;
  return [
    ...control.filter(([t]) => t === tag).map(([, value]) => value),
    ...fields
      .filter(([t]) => t === tag)
      .map(
        ([, indicators, subfields]) =>
          indicators.replaceAll(" ", "_") + subfields.map(([c, v]) => `$${c}${v}`).join(""),
      ),
  ];
}

function note(text: string): ZoteroItem {
  return { itemType: "note", note: text };
}

describe("convertItems", () => {
  it("an article with everything → the whole record, sorted by tag", () => {
    const [conversion] = convertItems([item], contextOf(), { today });
    expect(conversion).toMatchObject({
      type: "converted",
      title: "On Bees",
      doi: "10.1234/bees.1",
      urls: ["https://example.org/bees/1", "https://doi.org/10.1234/bees.1"],
      warnings: [],
    });
    expect(conversion?.type === "converted" && conversion.record).toEqual({
      leader: "00000nab a22004452  4500",
      control: [
        ["001", expect.stringMatching(/^Test#2026-11-20#[0-9A-F]{40}$/)],
        ["003", "DE-1"],
        ["007", "cr|||||"],
      ],
      fields: [
        [
          "024",
          "7 ",
          [
            ["a", "10.1234/bees.1"],
            ["2", "doi"],
          ],
        ],
        [
          "040",
          "  ",
          [
            ["a", "DE-627"],
            ["b", "ger"],
            ["c", "DE-627"],
            ["e", "rda"],
          ],
        ],
        ["041", "  ", [["a", "eng"]]],
        [
          "084",
          "  ",
          [
            ["a", "1"],
            ["2", "ssgn"],
          ],
        ],
        [
          "100",
          "1 ",
          [
            ["4", "aut"],
            ["a", "Miller, Ada"],
            ["e", "VerfasserIn"],
          ],
        ],
        ["245", "00", [["a", "On Bees"]]],
        ["264", " 1", [["c", "2021"]]],
        [
          "773",
          "08",
          [
            ["i", "In: "],
            ["t", "Journal of Bees"],
            ["x", "2049-3630"],
            ["w", "(DE-627)320636356"],
            ["g", "12 (2021), 3, Seite 1-20"],
          ],
        ],
        ["852", "  ", [["a", "DE-1"]]],
        [
          "856",
          "40",
          [
            ["u", "https://example.org/bees/1"],
            ["z", "ZZ"],
          ],
        ],
        [
          "856",
          "40",
          [
            ["u", "https://doi.org/10.1234/bees.1"],
            ["z", "ZZ"],
          ],
        ],
        ["912", "  ", [["a", "NOMM"]]],
        ["935", "  ", [["a", "mtst"]]],
        [
          "935",
          "  ",
          [
            ["a", "txzs"],
            ["2", "LOK"],
          ],
        ],
        [
          "935",
          "  ",
          [
            ["a", "zota"],
            ["2", "LOK"],
          ],
        ],
        [
          "936",
          "uw",
          [
            ["d", "12"],
            ["e", "3"],
            ["h", "1-20"],
            ["j", "2021"],
          ],
        ],
        ["JOU", "  ", [["a", "Journal of Bees"]]],
        ["URL", "  ", [["a", "https://example.org/bees/1"]]],
        [
          "ZID",
          "  ",
          [
            ["a", "7"],
            ["b", "test"],
          ],
        ],
      ],
    });
  });

  it.for<[string, Partial<ZoteroItem>, string, string[]]>([
    ["no date → this year", { date: "" }, "264", ["_1$c2026"]],
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
    ["no URL → the DOI's alone", { url: "" }, "856", ["40$uhttps://doi.org/10.1234/bees.1$zZZ"]],
    [
      "a URL of another scheme → the DOI's",
      { url: "javascript:alert(1)" },
      "856",
      ["40$uhttps://doi.org/10.1234/bees.1$zZZ"],
    ],
    [
      "a URL that is none → the harvested page",
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
    ["what is no DOI → none", { DOI: "garbage" }, "024", []],
    ["what is no DOI → no address either", { DOI: "garbage" }, "856", ["40$uhttps://example.org/bees/1$zZZ"]],
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
      { creators: [{ name: "Max Weber", creatorType: "chef" }] },
      "100",
      ["1_$0(DE-588)118629743$aWeber, Max$eVerfasserIn"],
    ],
    [
      "a linked person → 887 too",
      { creators: [{ name: "Max Weber", creatorType: "author" }] },
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
    ["a person who is not linked → a mark", [{ name: "Ada Miller", creatorType: "author" }], [zota, tiep]],
    ["all persons linked → none", [{ name: "Max Weber", creatorType: "author" }], [zota]],
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

  it("an ORCID iD, of a person who is linked → the authority number alone", () => {
    const creators = [{ name: "Max Weber", creatorType: "author" }];
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

  it("one item with its notes → as in a list", () => {
    const single = convertItems([{ ...item, notes: [{ note: "LF:" }] }], contextOf(), { today });
    expect(single).toEqual(convertItems([item, note("LF:")], contextOf(), { today }));
  });

  it("a long abstract → cut between characters, with dots", () => {
    const [abstract = ""] = fieldsOf("520", [{ ...item, abstractNote: "ä".repeat(6000) }]);
    expect(abstract).toBe(`__$a${"ä".repeat(4995)}...`);
  });

  it("the same item on another day → the same hash, another 001", () => {
    const [one, other] = [today, "2026-11-21"].flatMap((day) =>
      convertItems([item], contextOf(), { today: day }),
    );
    if (one?.type !== "converted" || other?.type !== "converted") throw new Error("dropped");
    expect(other.hash).toBe(one.hash);
    expect(other.record.control[0]).toEqual(["001", `Test#2026-11-21#${one.hash}`]);
  });
});

describe("the order of steps", () => {
  const overridden = { overrideJson: [{ field: "title", replacement: "Junk" }] };
  const rewritten = { rewriteFields: [{ tag: "245", code: "a", pattern: ".*", replacement: "Junk" }] };
  const junk = { tag: "245", code: "a", pattern: "^Junk$" };

  it.for<[string, Partial<ZoteroItem>, NewFilters, string]>([
    [
      "an override that makes a value to exclude",
      {},
      { ...overridden, excludeJson: [{ field: "title", pattern: "^Junk$" }] },
      "excluded-item",
    ],
    [
      "an excluded web page",
      { itemType: "webpage" },
      { excludeJson: [{ field: "title", pattern: "Bees" }] },
      "excluded-item",
    ],
    [
      "a rewriting that makes a field to exclude",
      {},
      { ...rewritten, excludeMarc: [junk] },
      "excluded-record",
    ],
    ["a web page with a bad date", { itemType: "webpage", date: "soon" }, {}, "webpage"],
    ["a bad date of an article without URL", { url: "", DOI: "", date: "soon" }, {}, "unreadable-date"],
    ["neither URL nor place", { url: "", DOI: "", volume: "", issue: "" }, {}, "no-url"],
    ["a title that is suppressed", {}, { suppressJson: [{ field: "title", pattern: "Bees" }] }, "no-title"],
  ])("%s → dropped for the step that comes first", ([, change, filters, reason]) => {
    const context = contextOf({ source: { filters } });
    expect(convertItems([{ ...item, ...change }], context, { today })).toMatchObject([{ reason }]);
  });

  it("a field that is removed → no longer there for adding by it", () => {
    const filters: NewFilters = {
      removeFields: [{ tag: "264", code: "c", pattern: "2021" }],
      addFieldsIf: [{ tag: "500", test: { tag: "264", code: "c" }, pattern: "2021", replacement: "x" }],
    };
    expect(fieldsOf("500", [item], { source: { filters } })).toEqual([]);
  });

  it("a note that is suppressed → not read", () => {
    const filters: NewFilters = { suppressJson: [{ field: "note", pattern: "^LF:" }] };
    expect(fieldsOf("856", [item, note("LF:")], { source: { filters } })[0]).toMatch(/zZZ$/);
  });
});

describe("items beyond all measure", () => {
  it("a title of 50 000 characters → a record that validation keeps back with the reason", () => {
    const [conversion] = convertItems([{ ...item, title: "x".repeat(50_000) }], contextOf(), { today });
    if (conversion?.type !== "converted") throw new Error("dropped");
    expect(conversion.title).toHaveLength(1_000);
    expect(validateRecord(conversion.record).findings.map(({ reason }) => reason)).toEqual([
      "245: the field has 50005 of 9999 possible bytes",
    ]);
  });

  it.for([
    [1_000, []],
    [2_000, [expect.stringMatching(/^LDR: the record has 1\d{5} of 99999 possible bytes$/)]],
  ] as const)("%i authors → a record with all of them, of which validation finds %j", ([count, reasons]) => {
    const creators = Array.from({ length: count }, (_, index) => ({
      firstName: "Ada",
      lastName: `Author-${index}`,
      creatorType: "author",
    }));
    const [conversion] = convertItems([{ ...item, creators }], contextOf(), { today });
    if (conversion?.type !== "converted") throw new Error("dropped");
    expect(conversion.record.fields.filter(([tag]) => tag === "700")).toHaveLength(count - 1);
    expect(validateRecord(conversion.record).findings.map(({ reason }) => reason)).toEqual(reasons);
  });

  const endless = "x".repeat(500_000);

  it.each<[string, object, string]>([
    ["a language", { language: endless }, "converted"],
    ["a title", { title: endless }, "converted"],
    ["a creator of an unknown kind", { creators: [{ creatorType: "author", foo: endless }] }, "converted"],
    ["an ORCID", { notes: [{ note: `orcid:${endless}` }] }, "converted"],
    ["a date", { date: endless }, "dropped"],
    ["a DOI", { DOI: `10.1234/${endless}` }, "dropped"],
    ["a URL", { url: `https://example.org/${endless}` }, "dropped"],
    ["a web page's URL", { itemType: "webpage", url: `https://example.org/${endless}` }, "dropped"],
  ])("%s without end → what is told beside the record has one", (_what, change, type) => {
    const [conversion] = convertItems([{ ...item, ...change }], contextOf(), { today: "2026-11-20" });
    expect(conversion?.type).toBe(type);
    const beside = { ...conversion, record: undefined };
    expect(JSON.stringify(beside).length).toBeLessThan(5_000);
  });

  it.each(["javascript:alert(1)", "not a url", "ftp://example.org/a"])(
    "url %s → a warning that names it",
    (url) => {
      const [conversion] = convertItems([{ ...item, url }], contextOf(), { today });
      expect(conversion?.type === "converted" && conversion.warnings).toEqual([
        `url "${url}" is no http or https URL and was left out`,
      ]);
    },
  );

  it("what is no DOI → a warning that names it", () => {
    const [conversion] = convertItems([{ ...item, DOI: "garbage" }], contextOf(), { today });
    expect(conversion?.type === "converted" && conversion.warnings).toEqual([
      'DOI "garbage" is none and was left out',
    ]);
  });

  it("warnings without end → the first 20 and how many more", () => {
    const creators = Array.from({ length: 30 }, () => ({ name: "A B", creatorType: "chef" }));
    const [conversion] = convertItems([{ ...item, creators }], contextOf(), { today });
    expect(conversion?.type === "converted" && conversion.warnings).toHaveLength(21);
    expect(conversion?.type === "converted" && conversion.warnings.at(-1)).toBe("and 10 more");
  });
});

describe("items that make no record", () => {
  it.for<[string, Partial<ZoteroItem>, Parameters<typeof contextOf>[0], string]>([
    ["a page that the server does not know", { itemType: "webpage" }, {}, "webpage"],
    ["a date that no format fits", { date: "sometime in 2020" }, {}, "unreadable-date"],
    ["an ISSN without a PPN", {}, { source: { online: { issn: "1" } } }, "incomplete-source"],
    ["a Zeder id without an ISSN", {}, { source: { online: undefined } }, "incomplete-source"],
    ["a URL that is none, and no DOI", { url: "not a url", DOI: "" }, {}, "no-url"],
    ["neither URL nor DOI", { url: "", DOI: "" }, {}, "no-url"],
    ["no title", { title: " " }, {}, "no-title"],
    ["neither volume, issue nor DOI", { volume: "", issue: "", DOI: "" }, {}, "online-first"],
    [
      "neither volume nor issue, where all are dropped",
      { volume: "", issue: "" },
      { settings: { skipOnlineFirst: true } },
      "online-first",
    ],
    ["an issue that is n/a", { issue: "n/a" }, {}, "early-view"],
    [
      "a value that is excluded",
      {},
      { source: { filters: { excludeJson: [{ field: "title", pattern: "Bees" }] } } },
      "excluded-item",
    ],
    [
      "a field that is excluded",
      {},
      { settings: { filters: { excludeMarc: [{ tag: "245", code: "a", pattern: "Bees" }] } } },
      "excluded-record",
    ],
    ["creators that are no list", { creators: "Ada" as never }, {}, "malformed"],
  ])("%s → dropped, and the item after it converted", ([, change, context, reason]) => {
    const other = { ...item, itemType: "blogPost", title: "Other", volume: "1", issue: "1" };
    const results = convertItems([{ ...item, ...change }, other], contextOf(context), { today });
    expect(results[0]).toMatchObject({ type: "dropped", reason });
    if (reason !== "incomplete-source") expect(results[1]?.type).toBe("converted");
  });

  it("something that is no item → dropped with its notes, and the item after it converted", () => {
    const results = convertItems([null as never, note("abs:x"), item], contextOf(), { today });
    expect(results).toMatchObject([{ reason: "malformed" }, { type: "converted" }]);
  });

  it("a note before any item → dropped", () => {
    expect(convertItems([note("abs:x")], contextOf(), { today })).toMatchObject([{ reason: "malformed" }]);
  });
});

describe("settleItems", () => {
  const nobody: DetectLanguage = () => Promise.resolve({ type: "unknown" });

  it("people of several items → each name to look up once", async () => {
    const creators = [
      { firstName: "Max", lastName: "Weber", creatorType: "author" },
      { firstName: "Ann", lastName: "B. Lee", creatorType: "author" },
      { name: "Plato", creatorType: "author" },
    ];
    const items = [item, { ...item, creators }, { ...item, creators }];
    const { namesToLookUp } = await settleItems(items, contextOf(), nobody);
    expect(namesToLookUp).toEqual(["Miller, Ada", "Weber, Max"]);
  });
});
