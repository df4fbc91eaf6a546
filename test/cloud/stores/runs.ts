import { describe, expect, it } from "vitest";
import type { Run, RunState } from "../../../shared/records/runs/run.ts";
import { sourceOutcome } from "../../shared/records/runs/source-outcome.ts";
import { type StoreTest, time } from "./world.ts";

/** What the store of runs promises. */
export function runCases(world: StoreTest): void {
  describe("a run", () => {
    const run = (runId: string, state: RunState, day = 1): Run => ({
      runId,
      deliveryMode: "LIVE",
      state,
      startedAt: time(day),
      deadlineAt: time(day),
    });

    it("created twice → the first stands", async () => {
      await world.stores.runs.create(run(world.id, "starting"));
      expect(await world.stores.runs.create(run(world.id, "finished"))).toEqual(run(world.id, "starting"));
    });

    it("failed, with 40 finished ones after it → still among the unfinished", async () => {
      await world.stores.runs.create(run(world.id, "failed"));
      for (let day = 2; day <= 41; day += 1)
        await world.stores.runs.create(run(`${world.id}-${day}`, "finished", day));
      expect((await world.stores.runs.listUnfinished("LIVE")).map(({ runId }) => runId)).toContain(world.id);
    });

    it("listed by pages, newest first → each once, of its mode alone, and nothing else of its items", async () => {
      const days = [200, 203, 202, 201];
      const test = (day: number): Run => ({
        ...run(`${world.id}-${day}`, "finished", day),
        deliveryMode: "TEST",
      });
      for (const day of days) await world.stores.runs.create(test(day));
      await world.stores.runs.create(run(world.id, "finished", 204));
      const first = await world.stores.runs.listLatest("TEST", { limit: 3 });
      expect(first).toEqual([test(203), test(202), test(201)]);
      expect(await world.stores.runs.listLatest("TEST", { limit: 3, after: first.at(-1) })).toEqual([
        test(200),
      ]);
    });

    it("moved from a state that it is in → with its failure, which the next move ends; from another → not", async () => {
      await world.stores.runs.create(run(world.id, "harvesting"));
      const failure = { stage: "upload", reason: "no space", at: time(2) };
      expect(await world.stores.runs.changeState(world.id, ["starting"], { state: "delivering" })).toBe(
        false,
      );
      expect(
        await world.stores.runs.changeState(world.id, ["starting", "harvesting"], {
          state: "failed",
          failure,
        }),
      ).toBe(true);
      expect(await world.stores.runs.get(world.id)).toMatchObject({ state: "failed", failure });
      expect(await world.stores.runs.changeState(world.id, ["failed"], { state: "delivering" })).toBe(true);
      expect(await world.stores.runs.get(world.id)).toEqual({ ...run(world.id, "delivering") });
    });

    it("a stage finished twice → the first result stands", async () => {
      expect(await world.stores.runs.stageResult(world.id, "plan")).toBeUndefined();
      expect(await world.stores.runs.finishStage(world.id, "plan", { n: 1 })).toEqual({ n: 1 });
      expect(await world.stores.runs.finishStage(world.id, "plan", { n: 2 })).toEqual({ n: 1 });
      expect(await world.stores.runs.stageResult(world.id, "plan")).toEqual({ n: 1 });
    });

    it("a tally → two sets that only grow; a request → its first claimant's", async () => {
      await world.stores.runs.updateTally(world.id, "t", { opened: ["a", "b"] });
      await world.stores.runs.updateTally(world.id, "t", { opened: ["b"], closed: ["a"] });
      expect(await world.stores.runs.updateTally(world.id, "t", { closed: ["a"] })).toEqual({
        opened: 2,
        closed: 1,
      });
      expect(await world.stores.runs.openIds(world.id, "t")).toEqual(["b"]);
      const claim = (claimant: string) =>
        world.stores.runs.claimRequests(world.id, "s", { ids: ["x"], claimant });
      expect([await claim("one"), await claim("two"), await claim("one")].map(({ size }) => size)).toEqual([
        1, 0, 1,
      ]);
    });

    it("the last three requests of a tally, closed at the same time → one of them ends it", async () => {
      await world.stores.runs.updateTally(world.id, "end", { opened: ["a", "b", "c", "d"], closed: ["d"] });
      const close = (id: string) => world.stores.runs.updateTally(world.id, "end", { closed: [id] });
      const sizes = await Promise.all(["a", "b", "c"].map(close));
      expect(sizes.map(({ closed }) => closed)).toEqual([2, 3, 4]);
      expect(sizes.map(({ opened }) => opened)).toEqual([4, 4, 4]);
    });

    it("a document, or a listing, saved twice → the first stands", async () => {
      const document = {
        requestId: "r",
        sourceId: "s",
        url: "https://s.example/1",
        state: "known" as const,
        as: "delivered" as const,
      };
      await world.stores.runs.saveOutcome(world.id, document);
      await world.stores.runs.saveOutcome(world.id, { ...document, url: "https://s.example/2" });
      const kept = [];
      for await (const page of world.stores.runs.outcomeBatches(world.id)) kept.push(...page);
      expect(kept).toEqual([document]);
      const outcome = sourceOutcome();
      await world.stores.runs.saveListingOutcome(world.id, "feed", { ...outcome, entries: 1 });
      await world.stores.runs.saveListingOutcome(world.id, "feed", { ...outcome, entries: 2 });
      expect(await world.stores.runs.sourceOutcomes(world.id)).toEqual([{ ...outcome, entries: 1 }]);
    });

    it("a long harvest → listed as such until it has finished, and never among the runs", async () => {
      const harvest = { ...run(world.id, "harvesting", 300), harvestOf: "s" };
      await world.stores.runs.create(harvest);
      expect(await world.stores.runs.get(world.id)).toEqual(harvest);
      expect(await world.stores.runs.listLongHarvests("LIVE")).toContainEqual(harvest);
      const ids = async (runs: Promise<Run[]>) => (await runs).map(({ runId }) => runId);
      expect(await ids(world.stores.runs.listLongHarvests("TEST"))).not.toContain(world.id);
      expect(await ids(world.stores.runs.listUnfinished("LIVE"))).not.toContain(world.id);
      expect(await ids(world.stores.runs.listLatest("LIVE", { limit: 100 }))).not.toContain(world.id);
      await world.stores.runs.changeState(world.id, ["harvesting"], { state: "finished" });
      expect(await ids(world.stores.runs.listLongHarvests("LIVE"))).not.toContain(world.id);
    });

    it("a page of outcomes → saved once, read with the others, and undelivered until a delivery takes it", async () => {
      const outcome = (requestId: string) => ({
        requestId,
        sourceId: "s",
        url: `https://s.example/${requestId}`,
        state: "known" as const,
        as: "delivered" as const,
      });
      const page = (listingId: string, count: number) => ({
        sourceId: "s",
        listingId,
        outcomes: Array.from({ length: count }, (_, index) => outcome(`${listingId}-${index}`)),
      });
      const { runs } = world.stores;
      await runs.saveOutcomeBatch(world.id, page("one", 500));
      await runs.saveOutcomeBatch(world.id, page("one", 3));
      await runs.saveOutcomeBatch(world.id, page("two", 2));
      await runs.saveOutcome(world.id, outcome("single"));
      const all = [];
      for await (const outcomes of runs.outcomeBatches(world.id)) all.push(...outcomes);
      expect(all).toHaveLength(503);
      const undelivered = async () => {
        const pages = [];
        for await (const { outcomes, ...named } of runs.undeliveredBatches(world.id))
          pages.push({ size: outcomes.length, named });
        return pages.sort((a, b) => b.size - a.size);
      };
      const [large, ...rest] = await undelivered();
      expect([large?.size, ...rest.map(({ size }) => size)]).toEqual([500, 2, 1]);
      const named = large?.named ?? { harvestId: "", pageId: "" };
      for (let times = 0; times < 2; times += 1) await runs.markBatchDelivered(named, "live-1");
      expect(await undelivered()).toEqual(rest);
      expect(await runs.loadHarvestBatch(named)).toEqual(page("one", 500).outcomes);
    });

    it("the result of a listing, stored twice → the first stands", async () => {
      const outcome = sourceOutcome({ sourceId: "settled", entries: 1, requested: 1 });
      // More than one object takes.
      const articles = Array.from({ length: 1200 }, (_, n) => ({
        id: String(n),
        kind: "article" as const,
        url: `https://s.example/${n}`,
      }));
      const page = { id: "page", kind: "page" as const, url: "https://s.example/" };
      const resolved = [
        {
          requestId: "r",
          sourceId: "s",
          url: "https://s.example/r",
          state: "dropped" as const,
          reason: "no title",
        },
      ];
      const nextPage = { id: "next", kind: "page" as const, url: "https://s.example/?page=2" };
      const listing = { outcome, articleRequests: articles, listingRequests: [page], resolved, nextPage };
      expect(await world.stores.runs.listingResult(world.id, "settled", "feed")).toBeUndefined();
      expect(await world.stores.runs.storeListingResult(world.id, "feed", listing)).toEqual(listing);
      expect(
        await world.stores.runs.storeListingResult(world.id, "feed", { ...listing, articleRequests: [] }),
      ).toEqual(listing);
      expect(await world.stores.runs.listingResult(world.id, "settled", "feed")).toEqual(listing);
      expect(await world.stores.runs.sourceOutcomes(world.id)).toContainEqual(outcome);
    });
  });
}
