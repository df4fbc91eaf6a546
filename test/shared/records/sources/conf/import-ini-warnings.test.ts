import { describe, expect, it } from "vitest";
import { importIni } from "../../../../../shared/records/sources/conf/import-ini.ts";
import { configuration, journal } from "../fixtures.ts";

describe("importIni, of a file with probable mistakes", () => {
  it("unknown keys of a journal, a group and the global section → a warning each, and imported", () => {
    const text = configuration([...journal, "colour = red"], ["colour = red"]).replace(
      "isil = DE-1",
      "isil = DE-1\nx = 1",
    );
    expect(importIni(text)).toMatchObject({
      type: "imported",
      warnings: [
        'Invalid ini entry "colour" in section ""',
        'Invalid ini entry "x" in section "Other"',
        'Invalid ini entry "colour" in section "A journal : of tests"',
      ],
    });
  });

  it.each([
    ["a group", "isil = DE-1", "exclude_if_marc_field_650 = X", "Other"],
    ["a group, though it is bad", "isil = DE-1", "remove_marc_field_650 = X", "Other"],
    ["a subgroup", "[RelBib]", "add_marc_field_520 = 520  \u001faX", "RelBib"],
  ])("a filter that has no effect in %s → the warning of an unknown key", (_what, line, filter, section) => {
    expect(importIni(configuration(journal).replace(line, `${line}\n${filter}`))).toMatchObject({
      type: "imported",
      warnings: [`Invalid ini entry "${filter.split(" ")[0]}" in section "${section}"`],
    });
  });

  it.each([
    ["ssgn", "FG_9", "not one of FG_0 FG_1 FG_0/1 FG_2,1: no 084 is written"],
    ["ssgn", "constructor", "not one of FG_0 FG_1 FG_0/1 FG_2,1: no 084 is written"],
    ["license", "lf", "not one of LF KF ZZ KW: treated as ZZ"],
    ["tiefp", "maybe", "not one of J N -: treated as -"],
    ["print_issn", "hello", "not an ISSN such as 1234-567X"],
    ["print_issn", "2049-3631", "an ISSN with a wrong check digit"],
    ...[
      ["rewrite_marc_field_001", "IxTheo ||| X"],
      ["remove_marc_field_007a", "."],
      ["remove_marc_subfield_007a", "."],
      ["exclude_if_marc_field_001", "."],
      ["rewrite_marc_field_if_003", "245a:x ||| y"],
      ["rewrite_marc_field_if_245a", "003:x ||| y"],
      ["add_marc_field_if_699a", "003:x ||| y"],
    ].map(([key = "", value = ""]): [string, string, string] => {
      const tag = /00\d/.exec(key)?.[0] ?? "003";
      return [key, value, `has no effect: filters ignore control fields such as ${tag}`];
    }),
    ["add_marc_field_x", "001foo", "adds a second 001"],
    ["add_marc_field_if_007", "245a:x ||| y", "adds a second 007"],
  ])("%s = %s → a warning with section, key and value", (key, value, message) => {
    expect(importIni(configuration([...journal, `${key} = "${value}"`]))).toMatchObject({
      type: "imported",
      warnings: [`in section "A journal : of tests", entry "${key}": ${message} (bad value is "${value}")`],
    });
  });

  it.each([
    [
      "add_marc_field_520",
      "abstract",
      "must be a tag, two indicators and U+001F before each subfield",
      { filters: { addFields: ["246  \u001fax"] } },
    ],
    [
      "zotero_strptime_format",
      "%Y|%Q",
      '%Q in the date format "%Q" is not supported',
      { dateFormats: { formats: ["%Y"] } },
    ],
  ])("%s = %s → left out with a warning; the rest of the journal is imported", (key, value, why, rest) => {
    const lines = [`${key} = ${value}`, 'add_marc_field_x = "246  \\037ax"', "ssgn = FG_1"];
    expect(importIni(configuration([...journal, ...lines]))).toMatchObject({
      type: "imported",
      sources: [{ ssgn: "FG_1", ...rest }],
      unusable: [],
      warnings: [
        `in section "A journal : of tests", entry "${key}": left out: ${why} (bad value is "${value}")`,
      ],
    });
  });

  it("a bad field in a group and in the global section → left out with a warning each", () => {
    const text = configuration(journal, ["add_marc_field_y = nothing"]);
    const imported = importIni(text.replace("isil = DE-1", "isil = DE-1\nadd_marc_field_z = 520"));
    expect(imported).toMatchObject({ type: "imported", settings: { filters: { addFields: [] } } });
    expect(imported.warnings).toEqual([
      expect.stringContaining('in section "Other", entry "add_marc_field_z": left out: '),
      expect.stringContaining('in section "", entry "add_marc_field_y": left out: '),
    ]);
  });

  it("a bad field before one that adds a second 001 → each warning names its own key", () => {
    const lines = ["add_marc_field_a = abstract", "add_marc_field_b = 001x"];
    expect(importIni(configuration([...journal, ...lines])).warnings).toEqual([
      expect.stringContaining('entry "add_marc_field_a": left out'),
      expect.stringContaining('entry "add_marc_field_b": adds a second 001'),
    ]);
  });

  it("no common date format that is known → refused; one that is → a warning", () => {
    const text = configuration(journal);
    expect(importIni(text.replace('"%Y-%m-%d|%Y"', '"%Q"'))).toMatchObject({
      type: "refused",
      problems: [{ message: expect.stringContaining("none of the date formats is known") }],
    });
    expect(importIni(text.replace('"%Y-%m-%d|%Y"', '"%Q|%Y"'))).toMatchObject({
      settings: { commonDateFormats: ["%Y"] },
      warnings: [expect.stringContaining("left out: %Q in the date format")],
    });
  });

  it("a Zeder id with leading zeros → a warning; it is kept as written", () => {
    const lines = journal.map((line) => line.replace("4711", "007"));
    expect(importIni(configuration(lines))).toMatchObject({
      sources: [{ zederId: "007" }],
      warnings: [
        'in section "A journal : of tests", entry "zeder_id": has leading zeros: kept as written (bad value is "007")',
      ],
    });
  });

  it.each([
    ["(C)%d. %B %Y", [], []],
    ["(POSIX|de_DE.UTF-8)%d. %B %Y", ["de-DE"], []],
    ["(C.UTF-8|xx_XX.UTF-8|de_DE)%Y", ["de-DE"], ["xx-XX"]],
    ["(german|klingonisch)%Y", [], ["german", "klingonisch"]],
    ["(not a locale)%Y", [], ["not a locale"]],
  ])("dates as %s → the locales %j; of %j a warning that it is left out", (value, locales, unknown) => {
    expect(importIni(configuration([...journal, `zotero_strptime_format = ${value}`]))).toMatchObject({
      type: "imported",
      sources: [{ dateFormats: { locales, formats: [value.replace(/\(.*\)/, "")] } }],
      warnings: unknown.map(
        (tag) =>
          `in section "A journal : of tests", entry "zotero_strptime_format": the locale "${tag}" is not known, and left out (bad value is "${value}")`,
      ),
    });
  });

  it.each([
    ["# a comment \\", ["ssgn = FG_1"], true],
    ["tiefp = J # a comment \\", ["ssgn = FG_1"], true],
    ["# a comment \\", ["# another \\", "ssgn = FG_1"], true],
    ["# a comment \\", ["", "ssgn = FG_1"], false],
    ["# a comment", ["ssgn = FG_1"], false],
    ["tiefp = \\", ["J"], false],
    ["additional_selectors = a \\# b\\", ["c"], false],
    ['zotero_notes_regex = "a # \\', ['b"'], false],
  ])("%j, followed by %j → belongs to the comment, with a warning: %s", (first, rest, isCommented) => {
    const imported = importIni(configuration([...journal, first, ...rest]));
    const line =
      configuration([...journal, first, ...rest])
        .split("\n")
        .indexOf(rest.at(-1) ?? "") + 1;
    expect(imported).toMatchObject({
      type: "imported",
      warnings: isCommented
        ? [`line ${line}: belongs to the comment of the previous line, which ends in a backslash`]
        : [],
    });
  });

  it("a delay of a host above its maximum; a blacklist with entries that never match → a warning each", () => {
    const delays = [
      "default_download_delay_time_a.example = 900",
      "max_download_delay_time_a.example = 700",
      "default_download_delay_time_b.example = 900",
      "max_download_delay_time_b.example = 900",
    ];
    const nameBlacklist = "Editor\nx, Author not\nHgg.\n(Lead author)\nÉ";
    expect(importIni(configuration(journal, delays), { nameBlacklist }).warnings).toEqual([
      'in section "", entry "default_download_delay_time_a.example": above the host\'s maximum of 700, which is used (bad value is "900")',
      expect.stringMatching(
        /author_name_blacklist\.txt: never matches, .*: "Hgg\.", "\(Lead author\)" \(bad value is "maps"\)$/,
      ),
    ]);
  });

  it("a second 003 in the global section, a second 007 in a group → a warning each", () => {
    const text = configuration(journal, ["add_marc_field_x = 003DE"]);
    const imported = importIni(text.replace("isil = DE-1", "isil = DE-1\nadd_marc_field_y = 007tu"));
    expect(imported.warnings).toEqual([
      expect.stringContaining('in section "Other", entry "add_marc_field_y": adds a second 007'),
      expect.stringContaining('in section "", entry "add_marc_field_x": adds a second 003'),
    ]);
  });

  it.each([
    ["an ISSN without its PPN", ["online_issn = 2049-3630"], "online ISSN 2049-3630 has no PPN"],
    ["no ISSN", [], "neither an online nor a print ISSN is configured"],
  ])("%s → a warning that every article will be dropped", (_what, pair, detail) => {
    const lines = journal.filter((line) => !line.startsWith("online_"));
    expect(importIni(configuration([...lines, ...pair]))).toMatchObject({
      type: "imported",
      warnings: [`in section "A journal : of tests": every article will be dropped: ${detail}`],
    });
  });
});
