import { describe, expect, it } from "vitest";
import { importIni } from "../../../shared/sources/import-ini.ts";
import type { Source } from "../../../shared/sources/source.ts";
import { configuration, journal } from "./fixtures.ts";

describe("importIni", () => {
  it("a journal of required keys → a source with defaults", () => {
    expect(sourceOf(journal)).toMatchObject({
      sourceId: "ixtheo-4711",
      title: "A journal : of tests",
      type: "RSS",
      url: "https://example.org/feed",
      groupId: "IxTheo",
      deliveryMode: "NONE",
      zederId: "4711",
      online: { issn: "2049-3630", ppn: "320636356" },
      tiefp: "-",
      updateWindowDays: 0,
    });
  });

  it.for<[string[], Partial<Record<keyof Source, unknown>>]>([
    [
      ["zotero_strptime_format = (de_DE.UTF-8|fr_FR)%d. %B %Y|%Y"],
      {
        dateFormats: { locales: ["de-DE", "fr-FR"], formats: ["%d. %B %Y", "%Y"] },
      },
    ],
    [
      ["zotero_expected_languages = eng"],
      {
        expectedLanguages: { mode: "compare", detectFrom: "title", codes: ["eng"] },
      },
    ],
    [
      ['zotero_expected_languages = "=title+abstract:eng,ger"'],
      {
        expectedLanguages: { mode: "translator", detectFrom: "title+abstract", codes: ["eng", "ger"] },
      },
    ],
    [
      ["zotero_expected_languages = !de,fre"],
      {
        expectedLanguages: { mode: "force", detectFrom: "title", codes: ["de", "ger", "fre"] },
      },
    ],
    [
      ["zotero_expected_languages = eng,ger", "force_language_detection = yes"],
      {
        expectedLanguages: { mode: "detect", detectFrom: "title", codes: ["eng", "ger"] },
      },
    ],
    [
      ["paged_rss", "paged_rss_range = 1-3,7", "paged_rss_delay_time = 2"],
      {
        pagedRss: { pages: [1, 2, 3, 7], delayMs: 2000 },
      },
    ],
    [["additional_selectors = BIIN, KALD ,"], { additionalSelectors: ["BIIN", "KALD"] }],
    [
      ["selective_evaluation = on", "zotero_subgroup = RelBib"],
      { selectiveEvaluation: true, subgroupId: "RelBib" },
    ],
  ])("%j → %j", ([lines, expected]) => {
    expect(sourceOf([...journal, ...lines])).toMatchObject(expected);
  });

  it.for<[string, string, object[]]>([
    ["suppress_json_field_pages = ^e", "suppressJson", [{ field: "pages", pattern: "^e" }]],
    ["override_json_field_pages = 1-%org%", "overrideJson", [{ field: "pages", replacement: "1-%org%" }]],
    ["exclude_if_json_field_title = ^X", "excludeJson", [{ field: "title", pattern: "^X" }]],
    ["remove_marc_field_650a = ^X", "removeFields", [{ tag: "650", code: "a", pattern: "^X" }]],
    ["remove_marc_subfield_936h = ^X", "removeSubfields", [{ tag: "936", code: "h", pattern: "^X" }]],
    ["exclude_if_marc_field_650 = X", "excludeMarc", [{ tag: "650", pattern: "X" }]],
    [
      'rewrite_marc_field_024a = "a(.*) ||| \\\\1"',
      "rewriteFields",
      [{ tag: "024", code: "a", pattern: "a(.*)", replacement: "\\1" }],
    ],
    [
      "add_marc_field_if_699a = 264c:(.*) ||| Year \\1",
      "addFieldsIf",
      [{ tag: "699", code: "a", test: { tag: "264", code: "c" }, pattern: "(.*)", replacement: "Year \\1" }],
    ],
    [
      "rewrite_marc_field_if_650 = 245:x ||| y",
      "rewriteFieldsIf",
      [{ tag: "650", test: { tag: "245" }, pattern: "x", replacement: "y" }],
    ],
  ])("%s → %s", ([line, kind, expected]) => {
    expect(sourceOf([...journal, line])?.filters).toMatchObject({ [kind]: expected });
  });

  it.for([
    [["zotero_expected_languages = xyz"], 'invalid setting for expected languages: "xyz"'],
    [["zotero_expected_languages = *eng"], 'invalid setting for expected languages: "*eng"'],
    [["zotero_expected_languages = !"], 'invalid setting for expected languages: "!"'],
    [["zotero_expected_languages = name:eng"], 'invalid setting for expected languages: "name:eng"'],
    [["selective_evaluation = maybe"], "invalid boolean value"],
    [["zotero_update_window = soon"], 'invalid unsigned entry "zotero_update_window"'],
    [["zotero_delivery_mode = PROD"], 'invalid enum value for entry "zotero_delivery_mode"'],
    [["zotero_subgroup = Nope"], 'Unknown subgroup name "Nope"'],
    [["remove_marc_field_650 = X"], "expected format: <tag><subfield_code>"],
    [["rewrite_marc_field_245a = a => b"], "invalid rewrite expression 'a => b'"],
    [["add_marc_field_if_699a = (.*) ||| b"], "invalid test field name"],
    [["add_marc_field_520 = abstract"], "must be a tag, two indicators"],
    [["zotero_review_regex = a(?=b)"], 'entry "zotero_review_regex": failed to compile pattern'],
    [["zotero_strptime_format = %Q"], "%Q in the date format"],
    [["paged_rss = true", "paged_rss_range = 1,3-2"], 'invalid range of pages "1,3-2"'],
  ] as const)("%j → refused: %s", ([lines, problem]) => {
    expect(problemsOf(configuration([...journal, ...lines]))).toContain(problem);
  });

  it.for<[lines: string[], line: number, key: string, value: string]>([
    [["ssgn = FG_1", "zotero_strptime_format = %Y|%Q"], 31, "zotero_strptime_format", "%Y|%Q"],
    [["zotero_crawl_url_regex = (", "ssgn = FG_1"], 30, "zotero_crawl_url_regex", "("],
    [["paged_rss", "paged_rss_size = 0"], 31, "paged_rss_size", "0"],
    [["print_ppn = 3", 'print_issn = ""'], 31, "print_issn", ""],
    [["remove_marc_field_650a = a", "remove_marc_field_245a = ("], 31, "remove_marc_field_245a", "("],
    [["add_marc_field_246 = 24631a", "ssgn = FG_1"], 30, "add_marc_field_246", "24631a"],
  ])("%j → refused at line %i by its key and value", ([lines, line, key, value]) => {
    const imported = importIni(configuration([...journal, ...lines]));
    const place = `in section "A journal : of tests", entry "${key}": `;
    expect(imported.type === "refused" && imported.problems).toEqual([
      { line, message: expect.toSatisfy((message) => message.startsWith(place)) },
    ]);
    expect(problemsOf(configuration([...journal, ...lines]))).toContain(
      `(bad value is ${JSON.stringify(value)})`,
    );
  });

  it.each([
    ["zotero_update_window", "9".repeat(20), "Too big"],
    ["zotero_max_crawl_depth", "9".repeat(20), "Too big"],
    ["zotero_url", `https://j.example/${"x".repeat(4000)}`, "Too big"],
    ["paged_rss_delay_time", "3601", "Too big"],
    ["paged_rss_range", "1-600,700-1200", "Too big"],
  ])("%s beyond what a run can do → refused with key and line", (key, value, problem) => {
    const lines = [
      ...journal.filter((line) => !line.startsWith(`${key} `)),
      "paged_rss = true",
      `${key} = ${value}`,
    ];
    const text = configuration(lines);
    const line = text.split("\n").findIndex((one) => one.startsWith(`${key} `)) + 1;
    const imported = importIni(text);
    expect(imported.type === "refused" && imported.problems).toEqual([
      { line, message: expect.stringContaining(`entry "${key}": ${problem}`) },
    ]);
  });

  it("what a schema refuses of the whole, a group and a subgroup → its key, line and value", () => {
    const text = configuration(journal, [
      "max_download_delay_time_example.org = 1",
      "default_download_delay_time = 9000",
    ])
      .replace("output_folder = other", "output_folder = a/b")
      .replace("https://example.org/relbib?q=", "ftp://example.org/");
    const imported = importIni(text);
    expect(imported.type === "refused" && imported.problems).toEqual([
      { line: 1, message: expect.stringContaining('entry "max_download_delay_time": must not be less') },
      {
        line: 20,
        message:
          'in section "Other", entry "output_folder": must be a single folder name (bad value is "a/b")',
      },
      {
        line: 23,
        message: expect.stringMatching(/^in section "RelBib", entry "author_swb_lookup_url": .*"ftp:/),
      },
    ]);
  });

  it("a long value → shortened in the problem", () => {
    const problem = problemsOf(configuration([...journal, `zotero_review_regex = (${"x".repeat(5000)}`]));
    expect(problem.length).toBeLessThan(400);
  });

  it.each([
    ["an unknown key", "k".repeat(5000)],
    ["a key that is none", `=${"k".repeat(5000)}`],
    ["a header that does not end", `[${"k".repeat(5000)}`],
    ["a key with odd characters", "k!".repeat(5000)],
  ])("a line that is %s, of thousands of characters → told in one that can be read", (_what, line) => {
    const imported = importIni(configuration([...journal, line]));
    const problems = imported.type === "refused" ? imported.problems : [];
    const told = [...imported.warnings, ...problems.map(({ message }) => message)];
    expect(told.length).toBeGreaterThan(0);
    expect(Math.max(...told.map(({ length }) => length))).toBeLessThan(520);
  });

  it.for(["zeder_id", "zotero_group", "zotero_url", "zotero_type"])("no %s → refused", (key) => {
    expect(problemsOf(configuration(journal.filter((line) => !line.startsWith(key))))).toContain(
      `can't find "${key}" in section "A journal : of tests"!`,
    );
  });

  it("an unknown group → refused", () => {
    expect(problemsOf(configuration(journal).replace("zotero_group = IxTheo", "zotero_group = X"))).toContain(
      'Unknown group name "X"',
    );
  });

  it("the same Zeder id twice in a group → refused", () => {
    expect(problemsOf(`${configuration(journal)}\n[Another]\n${journal.join("\n")}`)).toContain("is that of");
  });

  it("a locale in the common formats → refused", () => {
    const text = configuration(journal).replace('"%Y-%m-%d|%Y"', '"(de_DE)%Y"');
    expect(problemsOf(text)).toContain("Cannot specify locale in global strptime_format");
  });

  it("unknown keys of a journal, a group and the whole → a warning each, and still imported", () => {
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
  ])("a filter that does nothing in %s → a warning, as of an unknown key", (_what, line, filter, section) => {
    expect(importIni(configuration(journal).replace(line, `${line}\n${filter}`))).toMatchObject({
      type: "imported",
      warnings: [`Invalid ini entry "${filter.split(" ")[0]}" in section "${section}"`],
    });
  });

  it.each([
    ["ssgn", "FG_9", "not one of FG_0 FG_1 FG_0/1 FG_2,1: no 084"],
    ["ssgn", "constructor", "not one of FG_0 FG_1 FG_0/1 FG_2,1: no 084"],
    ["license", "lf", "not one of LF KF ZZ KW: as ZZ"],
    ["tiefp", "maybe", "not one of J N -: as -"],
    ["print_issn", "hello", "no ISSN such as 1234-567X"],
    ["add_marc_field_x", "001foo", "adds a second 001"],
    ["add_marc_field_if_007", "245a:x ||| y", "adds a second 007"],
  ])("%s = %s → a warning with section, key and value", (key, value, doubt) => {
    expect(importIni(configuration([...journal, `${key} = "${value}"`]))).toMatchObject({
      type: "imported",
      warnings: [`in section "A journal : of tests", entry "${key}": ${doubt} (bad value is "${value}")`],
    });
  });

  it("a second 003 of the whole, a second 007 of a group → a warning each", () => {
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

  it("a word that objects have besides → no truth", () => {
    expect(problemsOf(configuration([...journal, "selective_evaluation = constructor"]))).toContain(
      "invalid boolean value",
    );
  });

  it("tens of thousands of bad filters → each told, in linear time", () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `add_marc_field_${index}a = x`);
    const imported = importIni(configuration([...journal, ...lines]));
    expect(imported.type === "refused" && imported.problems.length).toBe(50_000);
  }, 10_000);

  it("several problems → all of them, in the order of the file", () => {
    const imported = importIni(configuration([...journal, "ssgn =", "paged_rss = perhaps"]));
    expect(imported.type === "refused" && imported.problems.map(({ line }) => line)).toEqual([30, 31]);
  });

  it("delays of one host in two spellings → put together under its host key", () => {
    const text = configuration(journal, [
      "default_download_delay_time_Example.ORG. = 700",
      "max_download_delay_time_example.org:443 = 900",
      "max_download_delay_time_xn--bcher-kva.Example:8080 = 800",
    ]);
    expect(importIni(text)).toMatchObject({
      settings: {
        hostDelays: {
          "example.org": { defaultMs: 700, maxMs: 900 },
          "xn--bcher-kva.example:8080": { maxMs: 800 },
        },
      },
    });
  });

  it.each(["default", "max"])("the %s delay of what is no host → its key, line and value", (which) => {
    const key = `${which}_download_delay_time_https://example.org/`;
    const imported = importIni(configuration(journal, [`${key} = 700`]));
    expect(imported.type === "refused" && imported.problems).toEqual([
      { line: 9, message: expect.stringContaining(`entry "${key}": "https://example.org/" is not a host`) },
    ]);
  });

  it("a delay for one host, lists of names and keywords → in the settings", () => {
    const text = configuration(journal, ["max_download_delay_time_example.org = 9000"]);
    expect(
      importIni(text, { nameBlacklist: "and\n# no\n\nEditor\n", genreKeywords: "Open Access" }),
    ).toMatchObject({
      settings: {
        hostDelays: { "example.org": { maxMs: 9000 } },
        nameBlacklist: ["and", "Editor"],
        genreKeywords: ["Open Access"],
        subgroups: [{ subgroupId: "RelBib", authorLookupUrl: "https://example.org/relbib?q=" }],
      },
    });
  });
});

function sourceOf(lines: readonly string[]): Source | undefined {
  const imported = importIni(configuration([...lines]));
  return imported.type === "imported" ? imported.sources[0] : undefined;
}

function problemsOf(text: string): string {
  const imported = importIni(text);
  return imported.type === "refused" ? imported.problems.map(({ message }) => message).join("\n") : "";
}
