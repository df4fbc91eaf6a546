import type { ZoteroItem } from "../../../../shared/formats/zotero-item.ts";
import { type ConversionContext, convertItems } from "../../../../shared/harvest/convert/convert.ts";
import { group, type NewGroup } from "../../../../shared/records/sources/group.ts";
import { type NewSettings, settings } from "../../../../shared/records/sources/settings.ts";
import { type NewSource, source } from "../../../../shared/records/sources/source.ts";

/** An article with what an article usually has. */
export const item: ZoteroItem = {
  itemType: "journalArticle",
  title: "On Bees",
  creators: [{ firstName: "Ada", lastName: "Miller", creatorType: "author" }],
  date: "2021-05-06",
  volume: "12",
  issue: "3",
  pages: "1-20",
  DOI: "10.1234/bees.1",
  url: "https://example.org/bees/1",
  language: "en",
};

/** A journal of a group that marks its records, changed as a case needs it. */
export function contextOf(
  change: { source?: Partial<NewSource>; group?: Partial<NewGroup>; settings?: NewSettings } = {},
): ConversionContext {
  return {
    source: source.parse({
      sourceId: "test-7",
      zederId: "7",
      title: "Journal of Bees",
      type: "RSS",
      url: "https://example.org/feed",
      groupId: "Test",
      online: { issn: "2049-3630", ppn: "320636356" },
      ssgn: "FG_1",
      ...change.source,
    }),
    group: group.parse({
      groupId: "Test",
      isil: "DE-1",
      userAgent: "test",
      outputFolder: "test",
      subjectMark: "mtst",
      localMark: "txzs",
      linkedAuthorMark: "tszom",
      ...change.group,
    }),
    settings: settings.parse(change.settings ?? {}),
    harvestedUrl: "https://example.org/harvested",
  };
}

/** The day of the conversion. */
export const today = "2026-11-20";

/** The fields with a tag, as `ii$a…$b…` with `_` for a blank indicator. */
export function fieldsOf(
  tag: string,
  items: ZoteroItem[],
  change: Parameters<typeof contextOf>[0] = {},
): string[] {
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

/** A note as the translation server gives it beside its item. */
export function note(text: string): ZoteroItem {
  return { itemType: "note", note: text };
}
