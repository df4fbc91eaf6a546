import { describe, expect, it } from "vitest";
import { importIni } from "../../../../../shared/records/sources/conf/import-ini.ts";
import type { Source } from "../../../../../shared/records/sources/source.ts";
import { configuration, journal } from "../fixtures.ts";

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

  it("an empty value in quotes → as if the key were absent; of a key that is needed, the section cannot be used", () => {
    const keys = [
      "print_issn",
      "print_ppn",
      "ssgn",
      "zotero_update_window",
      "paged_rss",
      "zotero_expected_languages",
    ];
    expect(sourceOf([...journal, ...keys.map((key) => `${key} = ""`)])).toEqual(sourceOf(journal));
    expect(sourceOf(journal.map((line) => line.replace(/^zotero_url.*/, 'zotero_url = ""')))).toBeUndefined();
  });

  it("delays of one host in two spellings → merged under its host key", () => {
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
