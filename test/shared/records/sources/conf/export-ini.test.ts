import { describe, expect, it } from "vitest";
import { exportIni, selectExportable } from "../../../../../shared/records/sources/conf/export-ini.ts";
import { importIni } from "../../../../../shared/records/sources/conf/import-ini.ts";
import { source } from "../../../../../shared/records/sources/source.ts";
import { configuration, journal } from "../fixtures.ts";

it.for<[string[]]>([
  [[]],
  [["zotero_strptime_format = (de_DE.UTF-8)%d. %B %Y", "zotero_expected_languages = ?abstract:eng,ger"]],
  [["zeder_newly_synced_entry = true", "selective_evaluation = yes", "pages_not_online_first"]],
  [["paged_rss", "paged_rss_size = 20", "paged_rss_range = 1-3,7", "paged_rss_delay_time = 2"]],
  [
    [
      'zotero_review_regex = "a # b\\\\s\\""',
      'add_marc_field_246 = "2461 \\037aX %x% \\037iY"',
      "add_marc_field_246_b = 246  \u001faZ",
    ],
  ],
  [["add_marc_field_if_699 = 100:(.*) ||| \\1\\037kTest", "rewrite_marc_field_if_650a = 245a:x ||| y"]],
  [
    [
      "suppress_json_field_pages = .*",
      'override_json_field_title = "%org% "',
      "exclude_if_marc_field_773g = x$",
    ],
  ],
  [["rewrite_marc_field_520a = a ||| b", "remove_marc_field_650a = \\d", "remove_marc_subfield_936h = ^e"]],
])("a journal with %j, exported and imported → the same", ([lines]) => {
  const imported = importIni(
    configuration([...journal, ...lines], ["default_download_delay_time_x.org = 5"]),
  );
  if (imported.type === "refused") throw new Error(JSON.stringify(imported.problems));
  expect(importIni(exportIni(imported))).toEqual(imported);
});

describe("titles of all kinds", () => {
  const pieces = [
    "Foo",
    "#",
    "\\#",
    "\\",
    '"',
    "]",
    "[",
    "=",
    "= ",
    ";",
    " ",
    "é",
    "史",
    "\u200e",
    "\u00a0",
    "x",
  ];
  const titles = pieces.flatMap((a) =>
    pieces.flatMap((b) => pieces.flatMap((c) => [a + b + c, `${a}= "${b}${c}" #`])),
  );

  it("exported and imported → the same, or left out with the reason", () => {
    const imported = importIni(configuration(journal));
    if (imported.type === "refused") throw new Error(JSON.stringify(imported.problems));
    const [one] = imported.sources as [(typeof imported.sources)[0]];
    let left = 0;
    for (const title of new Set(titles)) {
      if (!source.shape.title.safeParse(title).success) continue;
      const sources = [{ ...one, title }];
      const fitting = selectExportable({ ...imported, sources });
      const again = importIni(exportIni(fitting));
      expect(again, title).toMatchObject({ type: "imported", sources: fitting.sources });
      if (fitting.sources.length > 0) continue;
      left += 1;
      expect(fitting.leftOut, title).toEqual([expect.stringContaining(JSON.stringify(title))]);
      // Only titles that a header cannot express.
      expect(title).toMatch(/^\s|\s$/);
    }
    expect(left).toBeGreaterThan(0);
  });

  it.each([
    ["of a group", "IxTheo"],
    ["of a subgroup", "RelBib"],
    ["of another journal", "A journal : of tests"],
  ])("one that is the title %s → left out, with the reason", (_what, title) => {
    const imported = importIni(configuration(journal));
    if (imported.type === "refused") throw new Error(JSON.stringify(imported.problems));
    const [one] = imported.sources as [(typeof imported.sources)[0]];
    const other = { ...one, sourceId: "ixtheo-1", zederId: "1", title };
    const fitting = selectExportable({ ...imported, sources: [one, other] });
    expect(fitting.sources).toEqual([one]);
    expect(fitting.leftOut).toEqual([
      `source ixtheo-1 has the title of another section: ${JSON.stringify(title)}`,
    ]);
  });
});
