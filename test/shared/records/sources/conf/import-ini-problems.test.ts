import { describe, expect, it } from "vitest";
import { importIni } from "../../../../../shared/records/sources/conf/import-ini.ts";
import { cpuMsOf } from "../../../../cpu-time.ts";
import { configuration, journal } from "../fixtures.ts";

const strictly = (text: string) => importIni(text, {}, { isStrict: true });

describe("importIni, strict, of a file with problems", () => {
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
    [['rewrite_marc_field_245a = "x ||| a\\001b"'], "must have no control characters, but U+001F"],
    [['rewrite_marc_field_245 = "x ||| a\\036b"'], "must have no control characters, but U+001F"],
    [['rewrite_marc_field_if_245a = "650a:x ||| a\\035b"'], "must have no control characters, but U+001F"],
    [['add_marc_field_if_655 = "650a:x ||| a\\033b"'], "must have no control characters, but U+001F"],
    [['add_marc_field_x = "520  \\037aone\\036two"'], "must have no control characters, but U+001F"],
    [['override_json_field_title = "a\\037b"'], "must have no control characters"],
    [["ssgn = FG\u00011"], "must have no line breaks or other control characters"],
    [["zotero_review_regex = a(?=b)"], 'entry "zotero_review_regex": failed to compile pattern'],
    [["zotero_strptime_format = %Q"], "%Q in the date format"],
    [["paged_rss = true", "paged_rss_range = 1,3-2"], 'invalid range of pages "1,3-2"'],
  ] as const)("%j → refused: %s", ([lines, problem]) => {
    expect(problemsOf(configuration([...journal, ...lines]))).toContain(problem);
  });

  it("an ISIL with a control character → refused", () => {
    const text = configuration(journal).replace("isil = DE-Tue135", "isil = DE-Tue\u0007135");
    expect(problemsOf(text)).toContain('entry "isil": must have no line breaks or other control characters');
  });

  it.for<[lines: string[], line: number, key: string, value: string]>([
    [["ssgn = FG_1", "zotero_strptime_format = %Y|%Q"], 31, "zotero_strptime_format", "%Y|%Q"],
    [["zotero_crawl_url_regex = (", "ssgn = FG_1"], 30, "zotero_crawl_url_regex", "("],
    [["paged_rss", "paged_rss_size = 0"], 31, "paged_rss_size", "0"],
    [["remove_marc_field_650a = a", "remove_marc_field_245a = ("], 31, "remove_marc_field_245a", "("],
    [["add_marc_field_246 = 24631a", "ssgn = FG_1"], 30, "add_marc_field_246", "24631a"],
  ])("%j → refused at line %i by its key and value", ([lines, line, key, value]) => {
    const imported = strictly(configuration([...journal, ...lines]));
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
    const imported = strictly(text);
    expect(imported.type === "refused" && imported.problems).toEqual([
      { line, message: expect.stringContaining(`entry "${key}": ${problem}`) },
    ]);
  });

  it("values that a schema refuses in the global section, a group and a subgroup → key, line and value", () => {
    const text = configuration(journal, [
      "max_download_delay_time_example.org = 1",
      "default_download_delay_time = 9000",
    ])
      .replace("output_folder = other", "output_folder = a/b")
      .replace("https://example.org/relbib?q=", "ftp://example.org/");
    const imported = strictly(text);
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

  it("a long value → truncated in the problem", () => {
    const problem = problemsOf(configuration([...journal, `zotero_review_regex = (${"x".repeat(5000)}`]));
    expect(problem.length).toBeLessThan(400);
  });

  it.each([
    ["an unknown key", "k".repeat(5000)],
    ["an invalid key", `=${"k".repeat(5000)}`],
    ["a header that does not end", `[${"k".repeat(5000)}`],
    ["a key with odd characters", "k!".repeat(5000)],
  ])("a line that is %s, of thousands of characters → a message of at most 520 characters", (_what, line) => {
    const imported = strictly(configuration([...journal, line]));
    const problems = imported.type === "refused" ? imported.problems : [];
    const messages = [...imported.warnings, ...problems.map(({ message }) => message)];
    expect(messages.length).toBeGreaterThan(0);
    expect(Math.max(...messages.map(({ length }) => length))).toBeLessThan(520);
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

  it("a boolean that is the name of a property of objects → refused", () => {
    expect(problemsOf(configuration([...journal, "selective_evaluation = constructor"]))).toContain(
      "invalid boolean value",
    );
  });

  it("tens of thousands of bad filters → a problem each, in linear time", () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `add_marc_field_${index}a = x`);
    const cpuMs = cpuMsOf(() => {
      const imported = strictly(configuration([...journal, ...lines]));
      expect(imported.type === "refused" && imported.problems.length).toBe(50_000);
    });
    expect(cpuMs).toBeLessThan(10_000);
  });

  it("several problems → all of them, in the order of the file", () => {
    const imported = strictly(configuration([...journal, "ssgn =", "paged_rss = perhaps"]));
    expect(imported.type === "refused" && imported.problems.map(({ line }) => line)).toEqual([30, 31]);
  });

  it.each(["default", "max"])("the %s delay of an invalid host → key, line and value", (which) => {
    const key = `${which}_download_delay_time_https://example.org/`;
    const imported = strictly(configuration(journal, [`${key} = 700`]));
    expect(imported.type === "refused" && imported.problems).toEqual([
      { line: 9, message: expect.stringContaining(`entry "${key}": "https://example.org/" is not a host`) },
    ]);
  });
});

function problemsOf(text: string): string {
  const imported = strictly(text);
  return imported.type === "refused" ? imported.problems.map(({ message }) => message).join("\n") : "";
}
