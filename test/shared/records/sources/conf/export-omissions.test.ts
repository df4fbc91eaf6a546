import { beforeEach, describe, expect, it } from "vitest";
import { exportIni, selectExportable } from "../../../../../shared/records/sources/conf/export-ini.ts";
import { exportOmissions } from "../../../../../shared/records/sources/conf/export-omissions.ts";
import { configurationOf } from "../../../../../shared/records/sources/configuration.ts";
import type { Group } from "../../../../../shared/records/sources/group.ts";
import type { Source } from "../../../../../shared/records/sources/source.ts";
import { begin, ini, other, store, take } from "./import-world.ts";

beforeEach(begin);

describe("an export", () => {
  it("imported again → nothing changes", async () => {
    await take(ini + other);
    expect(await take(exportIni(configurationOf(await store.items())))).toMatchObject({ changes: [] });
  });

  it("of a configuration with settings of operators and lists → they are listed as omitted", async () => {
    await take(ini + other, { nameBlacklist: "Editor\nThe", genreKeywords: "x" });
    const { settings, groups, sources } = configurationOf(await store.items());
    const set = { throttleMs: 9000, obeyRobots: false, addedAt: "2026-11-01", collectionId: "coll" };
    const [first, second] = sources as [Source, Source];
    const [ixtheo, others] = groups as [Group, Group];
    const destination = { type: "SFTP", host: "r.example", username: "i", hostKeyFingerprint: "SHA256:x" };
    const omissions = exportOmissions({
      settings,
      groups: [
        { ...ixtheo, destination, recordsPerFile: 7, subjectMark: "abcd" } as Group,
        { ...others, recipients: ["a@example.org"] },
      ],
      sources: [
        { ...first, ...set, crawl: { ...first.crawl, maxPages: 7 } },
        { ...second, throttleMs: 0, crawl: { ...second.crawl, sitemaps: true } },
      ],
    });
    expect(omissions).toEqual([
      "recipients of 1 group: Other",
      "destination of 1 group: IxTheo",
      "recordsPerFile of 1 group: IxTheo",
      "subjectMark of 1 group: IxTheo",
      "addedAt of 1 source: ixtheo-4711",
      "throttleMs of 2 sources: ixtheo-4711, ixtheo-4712",
      "obeyRobots of 1 source: ixtheo-4711",
      "collectionId of 1 source: ixtheo-4711",
      "crawl.maxPages of 1 source: ixtheo-4711",
      "crawl.sitemaps of 1 source: ixtheo-4712",
      "author_name_blacklist.txt, a file of its own with 2 entries",
      "marc655_keywords.txt, a file of its own with 1 entry",
    ]);
  });

  it("of many sources with a field → names ten of them; without settings of operators → nothing is omitted", async () => {
    await take(ini);
    const whole = configurationOf(await store.items());
    expect(exportOmissions(whole)).toEqual([]);
    const [one] = whole.sources as [Source];
    const sources = Array.from({ length: 12 }, (_, index) => ({
      ...one,
      sourceId: `s-${index}`,
      throttleMs: 1,
    }));
    expect(exportOmissions({ ...whole, sources })).toEqual([
      "throttleMs of 12 sources: s-0, s-1, s-2, s-3, s-4, s-5, s-6, s-7, s-8, s-9 and 2 more",
    ]);
  });

  it("of groups and sources that the format cannot express → left out, with the reason", async () => {
    await take(ini);
    const whole = configurationOf(await store.items());
    const [ixtheo, ...others] = whole.groups as [(typeof whole.groups)[0]];
    const { authorLookupUrl: _url, ...bare } = ixtheo;
    const [one] = whole.sources as [(typeof whole.sources)[0]];
    const { zederId: _id, ...plain } = one;
    const fitting = selectExportable({
      ...whole,
      groups: [bare, ...others],
      sources: [one, { ...plain, sourceId: "plain", groupId: "Other" }],
    });
    expect(fitting.leftOut).toEqual([
      "group IxTheo has no lookup URL",
      "source ixtheo-4711 is of the group IxTheo, which is left out",
      "source plain has no Zeder id",
    ]);
    expect(fitting).toMatchObject({ groups: [{ groupId: "Other" }], sources: [] });
  });
});
