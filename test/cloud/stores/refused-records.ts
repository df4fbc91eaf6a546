import { describe, expect, it } from "vitest";
import type { RefusedRecord } from "../../../shared/deliver/refused/refused-record.ts";
import type { ConvertedDocument, RunMode } from "../../../shared/records/runs/run.ts";
import { type StoreTest, time } from "./world.ts";

/** What the list of refused records promises. */
export function refusedCases(world: StoreTest): void {
  describe("a refused record", () => {
    const refused = (day: number, title = "T"): RefusedRecord => ({
      deliveryMode: "LIVE",
      document: {
        state: "converted",
        requestId: "r",
        recordId: world.id,
        sourceId: "s",
        groupId: "G",
        url: "https://s.example/1",
        title,
        hash: "h",
        urls: [],
        recordKey: "k",
        archiveKeys: [],
        warnings: [],
      },
      findings: [{ record: world.id, ruleId: "contents-mismatch", tag: "245", reason: `${title} is wrong` }],
      findingCount: 1,
      refusedAt: time(day),
    });
    const listed = () => world.stores.refusedRecords.get("LIVE", "s", world.id);
    const take = () =>
      world.stores.refusedRecords.remove(refused(2), { upTo: time(2), includesReleased: true });
    const released = { at: time(3), by: "operator" as const };

    it("refused again → listed as it is now; by an earlier run → as it was", async () => {
      await world.stores.refusedRecords.save(refused(2));
      await world.stores.refusedRecords.save(refused(3, "later"));
      await world.stores.refusedRecords.save(refused(1, "earlier"));
      const record = await listed();
      expect(record?.document.title).toBe("later");
      expect((await world.stores.refusedRecords.findings(refused(3)))[0]?.reason).toBe("later is wrong");
    });

    it.each([
      ["listed as it was read → renewed", async () => undefined, true],
      ["taken off the list → stays off", () => take(), false],
      [
        "refused by a later run → as that has found it",
        () => world.stores.refusedRecords.save(refused(3)),
        false,
      ],
      ["released → stays so", () => world.stores.refusedRecords.release(refused(2), released), false],
    ])("judged again, %s", async (_what, meanwhile, isRenewed) => {
      await world.stores.refusedRecords.save(refused(2));
      await meanwhile();
      const before = await listed();
      const { findings } = refused(2, "now");
      expect(await world.stores.refusedRecords.updateFindings({ ...refused(2), findings })).toBe(isRenewed);
      expect(await listed()).toEqual(isRenewed && before !== undefined ? { ...before, findings } : before);
    });

    it("released → no run refuses it again; the first release counts", async () => {
      await world.stores.refusedRecords.save(refused(2));
      expect(await world.stores.refusedRecords.release(refused(2), released)).toBe(true);
      expect(await world.stores.refusedRecords.release(refused(2), { ...released, by: "rules" })).toBe(true);
      await world.stores.refusedRecords.save(refused(4, "later"));
      expect(await listed()).toMatchObject({ released, document: { title: "T" } });
    });

    it.each([
      ["refused by a run before → off the list", false, { upTo: time(2), includesReleased: false }, false],
      ["refused by a later run → listed", false, { upTo: time(1), includesReleased: true }, true],
      ["released → listed", true, { upTo: time(2), includesReleased: false }, true],
      ["released, and that is meant → off the list", true, { upTo: time(2), includesReleased: true }, false],
    ])("removed: %s", async (_title, isReleased, only, isListed) => {
      await world.stores.refusedRecords.save(refused(2));
      if (isReleased) await world.stores.refusedRecords.release(refused(2), released);
      await world.stores.refusedRecords.remove(refused(2), only);
      expect((await listed()) !== undefined).toBe(isListed);
    });

    it("released → among the released of its mode alone, until it is removed", async () => {
      const waiting = async (mode: RunMode) => {
        const found: string[] = [];
        for await (const page of world.stores.refusedRecords.releasedPages(mode))
          found.push(...page.map(({ document }) => document.recordId));
        return found.includes(world.id);
      };
      await world.stores.refusedRecords.save(refused(2));
      expect(await waiting("LIVE")).toBe(false);
      await world.stores.refusedRecords.release(refused(2), released);
      expect([await waiting("LIVE"), await waiting("TEST")]).toEqual([true, false]);
      await world.stores.refusedRecords.remove(refused(2), { upTo: time(2), includesReleased: true });
      expect(await waiting("LIVE")).toBe(false);
    });

    it("queried by articles → those that are listed, of the mode and source alone", async () => {
      await world.stores.refusedRecords.save(refused(2));
      const { document } = refused(2);
      const unknown = { ...document, recordId: `${world.id}-other` };
      const elsewhere = { ...document, sourceId: "other" };
      const listedSince = (mode: RunMode, documents: ConvertedDocument[]) =>
        world.stores.refusedRecords.listedSince(mode, documents);
      expect(await listedSince("LIVE", [unknown, document, document])).toEqual(
        new Map([[world.id, refused(2).refusedAt]]),
      );
      expect(await listedSince("LIVE", [elsewhere])).toEqual(new Map());
      expect(await listedSince("TEST", [document])).toEqual(new Map());
      expect(await listedSince("LIVE", [])).toEqual(new Map());
      await world.stores.refusedRecords.save(refused(3));
      expect(await listedSince("LIVE", [document])).toEqual(new Map([[world.id, refused(2).refusedAt]]));
    });

    it("more records than one read of the table returns → listed completely, and from the end of a page", async () => {
      const large = (recordId: string): RefusedRecord => {
        const { document, ...record } = refused(2);
        return {
          ...record,
          document: { ...document, recordId, sourceId: world.id, warnings: ["x".repeat(300_000)] },
        };
      };
      for (const recordId of ["a", "b", "c", "d", "e"])
        await world.stores.refusedRecords.save(large(recordId));
      const idsOf = async (page: { limit: number; after?: string }) =>
        (await world.stores.refusedRecords.listBySource("LIVE", world.id, page)).map(
          ({ document }) => document.recordId,
        );
      expect(await idsOf({ limit: 5 })).toEqual(["a", "b", "c", "d", "e"]);
      expect(await idsOf({ limit: 2, after: "b" })).toEqual(["c", "d"]);
    });

    it("in the queue by reason, source and id, in pages, until it is released or removed", async () => {
      const of = (recordId: string, tag: string): RefusedRecord => {
        const { document, findings, ...record } = refused(2);
        return {
          ...record,
          document: { ...document, recordId, sourceId: world.id },
          findings: findings.map((finding) => ({ ...finding, tag })),
        };
      };
      const refusedHere = [of("b", "8xa"), of("a", "8xa"), of("c", "8xab"), of("d", "8xb")];
      for (const record of refusedHere) await world.stores.refusedRecords.save(record);
      const mine = async () =>
        (await world.stores.refusedRecords.reasons("LIVE")).flatMap(({ reason, count, sources }) =>
          sources.some(({ sourceId }) => sourceId === world.id) ? [[reason, count]] : [],
        );
      expect(await mine()).toEqual([
        ["contents-mismatch:8xa", 2],
        ["contents-mismatch:8xab", 1],
        ["contents-mismatch:8xb", 1],
      ]);
      const pages = async (reason: string, limit: number) => {
        const ids: string[] = [];
        let after: string | undefined;
        do {
          const page = await world.stores.refusedRecords.queue("LIVE", { reason, limit, after });
          const own = page.records.filter(({ document }) => document.sourceId === world.id);
          ids.push(...own.map(({ document }) => document.recordId));
          after = page.next;
        } while (after !== undefined);
        return ids;
      };
      expect(await pages("contents-mismatch:8xa", 1)).toEqual(["a", "b"]);
      expect(await pages("contents-mismatch", 3)).toEqual(["a", "b", "c", "d"]);
      expect(await world.stores.refusedRecords.updateFindings(of("b", "8xb"))).toBe(true);
      await world.stores.refusedRecords.release(of("a", "8xa"), released);
      expect(await pages("contents-mismatch:8xa", 9)).toEqual([]);
      expect(await pages("contents-mismatch:8xb", 9)).toEqual(["b", "d"]);
      await world.stores.refusedRecords.remove(of("d", "8xb"), { upTo: time(2), includesReleased: false });
      expect(await mine()).toEqual([
        ["contents-mismatch:8xab", 1],
        ["contents-mismatch:8xb", 1],
      ]);
    });

    it("noted → kept by later refusals and by its release; not listed → no note", async () => {
      const note = { text: "mailed the publisher", by: "anna", at: time(3) };
      expect(await world.stores.refusedRecords.note(refused(2), note)).toBe(false);
      await world.stores.refusedRecords.save(refused(2));
      expect(await world.stores.refusedRecords.note(refused(2), note)).toBe(true);
      await world.stores.refusedRecords.save(refused(3));
      await world.stores.refusedRecords.release(refused(3), released);
      expect(await listed()).toMatchObject({ note, released });
    });

    it("not listed → cannot be released", async () => {
      expect(await world.stores.refusedRecords.release(refused(2), released)).toBe(false);
    });
  });
}
