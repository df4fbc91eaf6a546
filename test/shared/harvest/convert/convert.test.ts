import { describe, expect, it } from "vitest";
import type { DetectLanguage } from "../../../../shared/formats/language/detect-language.ts";
import type { ZoteroItem } from "../../../../shared/formats/zotero-item.ts";
import { convertItems, resolveItems } from "../../../../shared/harvest/convert/convert.ts";
import { writeMarcLines } from "../../../../shared/marc/marc-lines.ts";
import type { NewFilters } from "../../../../shared/records/sources/filters.ts";
import { contextOf, fieldsOf, item, note, today } from "./fixtures.ts";

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
    const lines = conversion?.type === "converted" ? writeMarcLines(conversion.record) : "";
    expect(lines.replace(/(?<=^001 Test#2026-11-20#)[0-9A-F]{40}$/m, "HASH")).toBe(`00000nab a22004452  4500
001 Test#2026-11-20#HASH
003 DE-1
007 cr|||||
024 7  $a 10.1234/bees.1 $2 doi
040    $a DE-627 $b ger $c DE-627 $e rda
041    $a eng
084    $a 1 $2 ssgn
100 1  $4 aut $a Miller, Ada $e VerfasserIn
245 00 $a On Bees
264  1 $c 2021
773 08 $i In:  $t Journal of Bees $x 2049-3630 $w (DE-627)320636356 $g 12 (2021), 3, Seite 1-20
852    $a DE-1
856 40 $u https://example.org/bees/1 $z ZZ
856 40 $u https://doi.org/10.1234/bees.1 $z ZZ
912    $a NOMM
935    $a mtst
935    $a txzs $2 LOK
935    $a zota $2 LOK
936 uw $d 12 $e 3 $h 1-20 $j 2021
JOU    $a Journal of Bees
URL    $a https://example.org/bees/1
ZID    $a 7 $b test
`);
  });

  it("one item with its notes → as in a list", () => {
    const single = convertItems([{ ...item, notes: [{ note: "LF:" }] }], contextOf(), { today });
    expect(single).toEqual(convertItems([item, note("LF:")], contextOf(), { today }));
  });

  it.each([
    ["an empty date", { date: "" }],
    ["a date of blanks", { date: "  " }],
  ])("%s → no year in 264, 773 and 936, with a warning", (_what, change) => {
    const undated = [{ ...item, ...change }];
    const [conversion] = convertItems(undated, contextOf(), { today });
    expect(conversion).toMatchObject({ warnings: ["the item has no date: the record has no year"] });
    const fields = ["264", "773", "936"].flatMap((tag) => fieldsOf(tag, undated));
    expect(fields).toEqual([
      "08$iIn: $tJournal of Bees$x2049-3630$w(DE-627)320636356$g12, 3, Seite 1-20",
      "uw$d12$e3$h1-20",
    ]);
  });

  it("neither date nor place → no 936", () => {
    expect(fieldsOf("936", [{ ...item, date: "", volume: "", issue: "", pages: "" }])).toEqual([]);
  });

  it("no date, and a configuration that wants the current year → that, as the original has it", () => {
    const change = { settings: { currentYearIfUndated: true } };
    const undated = [{ ...item, date: "" }];
    const [conversion] = convertItems(undated, contextOf(change), { today });
    expect(conversion).toMatchObject({ warnings: ["the item has no date: the record has the current year"] });
    expect(fieldsOf("264", undated, change)).toEqual(["_1$c2026"]);
    expect(fieldsOf("936", undated, change)).toEqual(["uw$d12$e3$h1-20$j2026"]);
  });

  it.each<[string, Partial<ZoteroItem>, Parameters<typeof contextOf>[0], string]>([
    ["day, month, year, that no format has", { date: "24 Apr 2013" }, {}, "2013-04-24"],
    ["a time with fractions", { date: "2024-04-24T10:00:00.000Z" }, {}, "2024-04-24"],
    ["a time without zone", { date: "2023-11-02T10:00:00" }, {}, "2023-11-02"],
    ["a month of the item's language", { date: "1er février 2020", language: "fr-CA" }, {}, "2020-02-01"],
    [
      "a month of the expected language",
      { date: "24. März 2020", language: "" },
      { source: { expectedLanguages: { mode: "compare", detectFrom: "title", codes: ["ger"] } } },
      "2020-03-24",
    ],
    ["a configured format", { date: "24/04/2013" }, {}, "2013-04-24"],
  ])("%s → its date", (_what, change, context, date) => {
    const bare = { ...context, settings: { commonDateFormats: ["%d/%m/%Y"] } };
    const [conversion] = convertItems([{ ...item, ...change }], contextOf(bare), { today });
    expect(conversion).toMatchObject({ type: "converted", date });
  });

  it.each([
    ["Spring 2014", "2014-01-01", []],
    ["2014/03", "2014-03-01", []],
    ["Ostern 2014", "2014-01-01", ['date "Ostern 2014" cannot be read: the record has its year, 2014']],
    ["(c) 2014, 2014", "2014-01-01", [expect.stringContaining("2014")]],
    ["(c) 2014, 2015", "2014-01-01", [expect.stringContaining("2014")]],
    ["2014-00-00", "2014-01-01", []],
  ])("the date %j → %s", (date, expected, warnings) => {
    const bare = contextOf({ settings: { commonDateFormats: [] } });
    const [conversion] = convertItems([{ ...item, date }], bare, { today });
    expect(conversion).toMatchObject({ date: expected, warnings });
  });

  it.each(["Spring", "soon", "n.d.", "2029", "9999-12-31", "12345", "0000-00-00"])(
    "the date %j → left out",
    (date) => {
      const [conversion] = convertItems([{ ...item, date }], contextOf(), { today });
      expect(conversion).toMatchObject({ type: "dropped", reason: "unreadable-date", detail: date });
    },
  );

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

describe("items that make no record", () => {
  it.for<[string, Partial<ZoteroItem>, Parameters<typeof contextOf>[0], string]>([
    ["a page that the server does not know", { itemType: "webpage" }, {}, "webpage"],
    ["a date that no format fits", { date: "sometime soon" }, {}, "unreadable-date"],
    ["a date of zeros", { date: "0000" }, {}, "unreadable-date"],
    ["an ISSN without a PPN", {}, { source: { online: { issn: "1" } } }, "incomplete-source"],
    ["a Zeder id without an ISSN", {}, { source: { online: undefined } }, "incomplete-source"],
    ["an invalid URL, and no DOI", { url: "not a url", DOI: "" }, {}, "no-url"],
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
    // No type allows it; a translation server may send it.
    ["creators that are not a list", { creators: "Ada" as never }, {}, "malformed"],
  ])("%s → dropped, and the item after it converted", ([, change, context, reason]) => {
    const other = { ...item, itemType: "blogPost", title: "Other", volume: "1", issue: "1" };
    const results = convertItems([{ ...item, ...change }, other], contextOf(context), { today });
    expect(results[0]).toMatchObject({ type: "dropped", reason });
    if (reason !== "incomplete-source") expect(results[1]?.type).toBe("converted");
  });

  it("something that is not an item → dropped with its notes, and the item after it converted", () => {
    // No type allows it; a translation server may send it.
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
    const { namesToLookUp } = await resolveItems(items, { ...contextOf(), today }, nobody);
    expect(namesToLookUp).toEqual(["Miller, Ada", "Weber, Max"]);
  });
});

it.each([
  ["WHO", { lastName: "WHO", firstName: "" }],
  ["Ann", { lastName: "", firstName: "Ann, Jr." }],
  ["Miller, Ada", { lastName: "Miller", firstName: "Ada" }],
  ["Plato", { name: "Plato" }],
  ["Max Weber", { name: "Max Weber" }],
  ["Ghailane", { firstName: "†", lastName: "Ghailane" }],
  ["Ghailane", { name: "Ghailane, †" }],
  ["Doe, Jane", { firstName: "Jane*", lastName: "Doe,‡" }],
])("100 $a %s from %j", (written, name) => {
  const creators = [{ ...name, creatorType: "author" }];
  const [converted] = convertItems([{ ...item, creators }], contextOf(), { today });
  expect(converted).toMatchObject({ type: "converted", warnings: [] });
  expect(
    converted?.type === "converted" && converted.record.fields.find(([tag]) => tag === "100")?.[2],
  ).toContainEqual(["a", written]);
});

it.each([
  ["World Health Organization", { name: "World Health Organization" }],
  ["World Health Organization", { firstName: "World Health", lastName: "Organization" }],
  [
    "Ministry of Health, Labour and Welfare",
    { firstName: "Labour and Welfare", lastName: "Ministry of Health" },
  ],
])("110 $a %s from %j", (written, name) => {
  const creators = [{ ...name, creatorType: "author" }];
  const [converted] = convertItems([{ ...item, creators }], contextOf(), { today });
  expect(converted?.type === "converted" && converted.record.fields.find(([tag]) => tag === "110")).toEqual([
    "110",
    "2 ",
    [
      ["4", "aut"],
      ["a", written],
    ],
  ]);
});

it.each([
  { name: "The Editors" },
  { firstName: "The", lastName: "Editors" },
  { firstName: "†", lastName: "" },
])("an author %j of whom nothing is left → no field, a warning, and the next one is the first", (name) => {
  const creators = [name, { firstName: "Ada", lastName: "Miller" }].map((one) => ({
    ...one,
    creatorType: "author",
  }));
  const change = { settings: { nameBlacklist: ["The", "Editors"] } };
  expect(["100", "700"].flatMap((tag) => fieldsOf(tag, [{ ...item, creators }], change))).toEqual([
    "1_$4aut$aMiller, Ada$eVerfasserIn",
  ]);
  const [converted] = convertItems([{ ...item, creators }], contextOf(change), { today });
  expect(converted).toMatchObject({ warnings: [expect.stringMatching(/ left out$/)] });
});

it("an ORCID iD of a name that stays whole → at that name", () => {
  const creators = [{ name: "Plato", creatorType: "author" }];
  const items = [{ ...item, creators }, note("orcid:0000-0002-1825-0097 | Plato")];
  expect(fieldsOf("100", items)).toEqual(["1_$0(orcid)0000-0002-1825-0097$4aut$aPlato$eVerfasserIn"]);
});
