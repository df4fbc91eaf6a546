import { describe, expect, it } from "vitest";
import { checkOverdue, findOverdueSources } from "../../../../shared/deliver/report/overdue.ts";
import { type NewSource, source as sourceSchema } from "../../../../shared/records/sources/source.ts";
import { openCorpus } from "../../../corpus.ts";
import { MemoryPorts } from "../../memory-ports.ts";

const now = new Date("2026-11-20T20:00:00Z");
const source = { sourceId: "s", title: "A Journal", updateWindowDays: 0, addedAt: undefined };

/** ISO 8601, so many days before now. */
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();

describe("checkOverdue", () => {
  it.each([
    ["delivered 60 days ago, no window → in time", 0, { lastDeliveredAt: daysAgo(60) }, undefined],
    ["delivered 61 days ago, no window → overdue", 0, { lastDeliveredAt: daysAgo(61) }, 60],
    ["delivered 61 days ago, window 137 → in time", 137, { lastDeliveredAt: daysAgo(61) }, undefined],
    ["delivered 8 days ago, window 7 → overdue", 7, { lastDeliveredAt: daysAgo(8) }, 7],
    ["never delivered, added 61 days ago → overdue", 0, { addedAt: daysAgo(61) }, 60],
    ["never delivered, added yesterday → in time", 0, { addedAt: daysAgo(1) }, undefined],
    [
      "added long ago, delivered yesterday → in time",
      0,
      { addedAt: daysAgo(900), lastDeliveredAt: daysAgo(1) },
      undefined,
    ],
  ])("%s", (_title, updateWindowDays, status, windowDays) => {
    const known = { sourceId: "s", addedAt: daysAgo(0), ...status };
    const found = checkOverdue({ ...source, updateWindowDays }, known, now);
    expect(found?.windowDays).toBe(windowDays);
  });

  it("the configured day counts before the day it was first seen", () => {
    const known = { sourceId: "s", addedAt: daysAgo(1) };
    expect(checkOverdue({ ...source, addedAt: "2026-01-01" }, known, now)?.lastDeliveredAt).toBeUndefined();
    expect(checkOverdue({ ...source, addedAt: "2026-01-01" }, known, now)?.windowDays).toBe(60);
  });

  it("neither a delivery nor a day of addition → in time", () => {
    expect(checkOverdue(source, undefined, now)).toBeUndefined();
  });
});

/** A store with one source, delivered so many days ago. */
function storeWith(
  sources: (Partial<NewSource> & { sourceId: string })[],
  delivered: Record<string, number>,
): MemoryPorts {
  const ports = new MemoryPorts();
  ports.now = now;
  for (const given of sources) {
    const value = { title: given.sourceId, type: "RSS", url: "https://s.example/", groupId: "Test" };
    ports.sourcesById.set(given.sourceId, sourceSchema.parse({ ...value, deliveryMode: "LIVE", ...given }));
    ports.statuses.set(given.sourceId, { sourceId: given.sourceId, addedAt: daysAgo(1) });
  }
  for (const [sourceId, days] of Object.entries(delivered)) {
    ports.statuses.set(sourceId, {
      sourceId,
      addedAt: daysAgo(900),
      lastDeliveredAt: daysAgo(days),
    });
  }
  return ports;
}

describe("overdueSources", () => {
  it("live sources beyond their windows, in the order of the configuration; test and new ones never", async () => {
    const ports = storeWith(
      [
        { sourceId: "late" },
        { sourceId: "in-time", updateWindowDays: 137 },
        { sourceId: "test", deliveryMode: "TEST" },
        { sourceId: "new", newlySynced: true },
        { sourceId: "later" },
      ],
      { late: 61, "in-time": 61, test: 400, new: 400, later: 100 },
    );
    expect((await findOverdueSources(ports)).map(({ sourceId }) => sourceId)).toEqual(["late", "later"]);
  });
});

interface TimelinessCase {
  id: string;
  description: string;
  journals: {
    name: string;
    zotero_update_window: string | null;
    zeder_newly_synced_entry?: string;
    zotero_delivery_mode?: "TEST";
  }[];
  rows: { journal: string; state: string; days_ago: number }[];
  mails: { body: string }[];
}

const corpus = openCorpus("zotero");
const cases: TimelinessCase[] = corpus.isAbsent ? [] : JSON.parse(corpus.text("timeliness_cases.json"));

/** Rows of these states are not deliveries: the original counts errors and online-first records, too (t06). */
const noDeliveries = ["error", "online_first", "reset", "ignore"];

/** Where we decide otherwise: errors and online-first records are not deliveries. */
const decided: Record<string, string[]> = { t06: ["J1"] };

describe.skipIf(corpus.isAbsent)(
  "the timeliness cases of the corpus beside the project (skipped without it)",
  () => {
    it.each(cases.map((each) => [each.id, each.description, each] as const))(
      "%s %s",
      async (id, _what, given) => {
        const delivered: Record<string, number> = {};
        for (const { journal, state, days_ago } of given.rows) {
          const sourceId = journal.toLowerCase();
          if (!noDeliveries.includes(state)) {
            delivered[sourceId] = Math.min(days_ago, delivered[sourceId] ?? days_ago);
          }
        }
        const ports = storeWith(
          given.journals.map((journal) => ({
            sourceId: journal.name.toLowerCase(),
            title: journal.name,
            updateWindowDays: Number(journal.zotero_update_window ?? 0),
            newlySynced: journal.zeder_newly_synced_entry === "true",
            deliveryMode: journal.zotero_delivery_mode ?? "LIVE",
          })),
          delivered,
        );
        const told = given.mails.flatMap(({ body }) =>
          [...body.matchAll(/^(\w+): \{/gm)].map(([, name]) => name),
        );
        expect((await findOverdueSources(ports)).map(({ title }) => title)).toEqual(decided[id] ?? told);
      },
    );

    it("every case is there", () => expect(cases.length).toBeGreaterThanOrEqual(6));
  },
);
