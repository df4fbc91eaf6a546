/**
 * Measures how many items per second a process converts and validates, from JSON to MARCXML: `npx node
 * bench/convert.ts`. The best round counts, because other processes may slow the machine.
 */

import { compileRules } from "../shared/deliver/validation/rule-set.ts";
import { validateRecord } from "../shared/deliver/validation/validate-record.ts";
import type { ZoteroItem } from "../shared/formats/zotero-item.ts";
import { convertItems } from "../shared/harvest/convert/convert.ts";
import { writeMarcXml } from "../shared/marc/marcxml-writer.ts";
import { group } from "../shared/records/sources/group.ts";
import { settings } from "../shared/records/sources/settings.ts";
import { source } from "../shared/records/sources/source.ts";
import { sampleItems } from "./convert-items.ts";
import { sampleRules } from "./marc-rules.ts";

const rounds = 8;
const itemsPerRound = 4_000;
const goalPerSecond = 2_000;

const sourceId = "ixtheo-4711";
const context = {
  source: source.parse({
    sourceId,
    zederId: "4711",
    title: "Journal of Bees",
    type: "RSS",
    url: "https://journal.example.org/feed",
    groupId: "Test",
    online: { issn: "2049-3630", ppn: "320636356" },
    ssgn: "FG_1",
    reviewRegex: "^Book Review",
    expectedLanguages: { mode: "translator", detectFrom: "title", codes: ["eng", "ger", "fre", "spa"] },
  }),
  group: group.parse({
    groupId: "Test",
    isil: "DE-1",
    userAgent: "bench",
    outputFolder: "bench",
    subjectMark: "mtst",
    localMark: "txzs",
  }),
  settings: settings.parse({
    nameBlacklist: ["Editor", "Prof.", "Department"],
    genreKeywords: ["Open Access", "Review Article"],
    filters: {
      suppressJson: [{ field: "pages", pattern: "^e\\d+$" }],
      rewriteFields: [{ tag: "245", code: "a", pattern: "^Editorial: (.*)$", replacement: "\\1" }],
      excludeMarc: [{ tag: "245", code: "a", pattern: "^(?:Cover|Masthead)$" }],
    },
  }),
  harvestedUrl: "https://journal.example.org/harvested",
};
const rules = compileRules(sampleRules);
const json = JSON.stringify(
  Array.from({ length: itemsPerRound }, (_, index) => sampleItems[index % sampleItems.length]),
);

let best = 0;
let written = { records: 0, bytes: 0 };
for (let round = 0; round < rounds; round++) {
  const started = performance.now();
  written = deliver(json);
  best = Math.max(best, (itemsPerRound / (performance.now() - started)) * 1000);
}
console.log(
  `${itemsPerRound} items in ${(json.length / 1e6).toFixed(1)} MB of JSON → ${written.records} valid records`,
  `in ${(written.bytes / 1e6).toFixed(1)} MB of MARCXML`,
);
console.log(
  `${Math.round(best).toLocaleString("en")} items/s (goal ≥ ${goalPerSecond.toLocaleString("en")})`,
);

function deliver(text: string): { records: number; bytes: number } {
  const items = JSON.parse(text) as ZoteroItem[];
  const records = convertItems(items, context, { today: "2026-11-20" }).flatMap((conversion) => {
    if (conversion.type === "dropped") throw new Error(`${conversion.reason}: ${conversion.detail}`);
    return validateRecord(conversion.record, { source: sourceId, rules }).outcome === "valid"
      ? [conversion.record]
      : [];
  });
  return { records: records.length, bytes: writeMarcXml(records).length };
}
