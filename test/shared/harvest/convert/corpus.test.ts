import { describe, expect, it } from "vitest";
import { convertItems, prepareItems } from "../../../../shared/harvest/convert/convert.ts";
import type { DataField, MarcRecord } from "../../../../shared/marc/record.ts";
import { importIni } from "../../../../shared/sources/import-ini.ts";
import { openCorpus } from "../corpus.ts";

const corpus = openCorpus("zotero");

interface ExpectedRecord {
  leader: string;
  control: Record<string, string>;
  fields: DataField[];
  hash: string;
}

interface ConversionCase {
  id: string;
  description: string;
  journal: string;
  harvested_url: string;
  config_overlay_journal_section: string[];
  config_global_extra: string[];
  config_group_extra: string[];
  config_head_substitutions: [string, string][];
  mock_gnd_lookup: Record<string, string>;
  mock_tika: { by_substring: Record<string, string>; default: string };
  translation_server_response: never[];
  expected: { records: ExpectedRecord[]; counters?: Record<string, number> };
}

interface ConfigCase {
  id: string;
  description: string;
  head_substitutions: [string, string][];
  journal_section_name: string;
  journal_section: string[];
  records: ExpectedRecord[];
}

/** What the original counts, and why we drop. */
const counters: Record<string, string[]> = {
  skipped_undesired_item_type: ["webpage"],
  skipped_online_first: ["online-first"],
  skipped_early_view: ["early-view"],
  skipped_exclusion_filter: ["excluded-item", "excluded-record"],
};

/** Cases whose record differs on purpose, with the reason. */
const exceptions: Record<string, { reason: string; urls: string[] }> = {
  s78: {
    reason: "a DOI that is given as a URL is normalised before 856 is built from it",
    urls: ["https://doi.org/10.1234/abc.1", "https://example.org/article/1"],
  },
};

const conversionCases = corpus.isAbsent
  ? []
  : corpus
      .filesIn("conversion")
      .map((name) => JSON.parse(corpus.text(`conversion/${name}`)) as ConversionCase);

/** A configuration that is accepted converts the item of the plainest conversion. */
function configCases(): ConversionCase[] {
  const plainest = conversionCases.find(({ id }) => id === "s01");
  if (!plainest) return [];
  return (JSON.parse(corpus.text("config_cases.json")) as ConfigCase[])
    .filter(({ records }) => records.length > 0)
    .map((one) => ({
      ...plainest,
      id: one.id,
      description: one.description,
      journal: one.journal_section_name,
      config_overlay_journal_section: one.journal_section,
      config_head_substitutions: one.head_substitutions,
      expected: { records: one.records },
    }));
}

const cases = [...conversionCases, ...configCases()];

describe.skipIf(corpus.isAbsent)("the reference conversions (skipped where their corpus is absent)", () => {
  it.for(cases.filter(({ id }) => !(id in exceptions)))(
    "$id: $description → the same records and hashes",
    (one) => {
      const conversions = convert(one);
      const converted = conversions.filter((conversion) => conversion.type === "converted");
      expect(converted.map(({ record }) => comparable(record))).toEqual(
        one.expected.records.map(({ leader, control, fields }) =>
          comparable({ leader, control: Object.entries(control), fields }),
        ),
      );
      expect(converted.map(({ hash }) => hash)).toEqual(one.expected.records.map(({ hash }) => hash));
      for (const [counter, reasons] of Object.entries(counters)) {
        const dropped = conversions.filter(
          ({ type, ...rest }) => "reason" in rest && reasons.includes(rest.reason),
        );
        expect(dropped.length, counter).toBe(one.expected.counters?.[counter] ?? 0);
      }
    },
  );

  it.for(cases.filter(({ id }) => id in exceptions))("$id: $description → better, as decided", (one) => {
    const [conversion] = convert(one);
    expect(conversion?.type === "converted" && conversion.urls.toSorted()).toEqual(exceptions[one.id]?.urls);
  });
});

function convert(one: ConversionCase) {
  let head = corpus.text("base_head.ini");
  for (const [from, to] of one.config_head_substitutions) head = head.replace(from, to);
  head = head.replace("[IxTheo]", `${one.config_global_extra.join("\n")}\n[IxTheo]`);
  for (const group of ["[IxTheo]", "[KrimDok]"])
    head = head.replace(group, `${group}\n${one.config_group_extra.join("\n")}`);
  const imported = importIni(`${head}\n[${one.journal}]\n${one.config_overlay_journal_section.join("\n")}`, {
    nameBlacklist: corpus.text("live/author_name_blacklist.txt"),
    genreKeywords: corpus.text("live/marc655_keywords.txt"),
  });
  if (imported.type === "refused") throw new Error(JSON.stringify(imported.problems));
  const [source] = imported.sources;
  const group = imported.groups.find(({ groupId }) => groupId === source?.groupId);
  if (!source || !group) throw new Error("the case configures no source");
  const context = { source, group, settings: imported.settings, harvestedUrl: one.harvested_url };
  const { textsToDetect } = prepareItems(one.translation_server_response, context);
  return convertItems(one.translation_server_response, context, {
    today: "2026-11-20",
    detections: new Map(
      textsToDetect.map((text) => [text, { type: "detected", code: tikaAnswer(one, text) }]),
    ),
    authorities: new Map(
      Object.entries(one.mock_gnd_lookup).map(([name, number]) => [name, { type: "identified", number }]),
    ),
  });
}

function tikaAnswer({ mock_tika }: ConversionCase, text: string): string {
  const [, code] = Object.entries(mock_tika.by_substring).find(([part]) => text.includes(part)) ?? [];
  return code ?? mock_tika.default;
}

/** Fields of the same tag in any order, and the day of the reference run in 001. */
function comparable({ leader, control, fields }: MarcRecord) {
  return {
    leader,
    control: control.map(([tag, value]) => [tag, value.replace("{YYYY-MM-DD of run}", "2026-11-20")]),
    fields: fields.map((field) => JSON.stringify(field)).toSorted(),
  };
}
