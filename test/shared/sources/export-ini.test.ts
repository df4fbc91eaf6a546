import { expect, it } from "vitest";
import { exportIni } from "../../../shared/sources/export-ini.ts";
import { importIni } from "../../../shared/sources/import-ini.ts";
import { configuration, journal } from "./fixtures.ts";

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
