import { describe, expect, it } from "vitest";
import type { StoredRecord } from "../../../shared/records/documents/stored-record.ts";
import type { RunMode } from "../../../shared/records/runs/run.ts";
import { type StoreTest, time } from "./world.ts";

/** What the store of records promises. */
export function recordCases(world: StoreTest): void {
  describe("a record", () => {
    const record = (runId: string, deliveryMode: RunMode = "LIVE"): StoredRecord => ({
      recordId: world.id,
      sourceId: "s",
      groupId: "G",
      collectionId: "c",
      runId,
      deliveryMode,
      title: "T",
      landingUrl: "https://s.example/1",
      syndicatedAt: time(1),
      hash: "h",
      recordKey: `k/${runId}`,
      state: "harvested",
      updatedAt: time(1),
    });
    const live = () => ({ recordId: world.id, deliveryMode: "LIVE" as const });
    const test = () => ({ recordId: world.id, deliveryMode: "TEST" as const });
    const describeRecord = async () => {
      const { runId, state, deliveryFile } = (await world.stores.records.get(world.id)) ?? {};
      return [runId, state, deliveryFile];
    };

    it("written by its first run → new; by the next → not new, and replaced", async () => {
      expect(await world.stores.records.save(record("first"))).toBe(true);
      expect(await world.stores.records.save(record("first"))).toBe(true);
      expect(await world.stores.records.save(record("second"))).toBe(false);
      expect(await describeRecord()).toEqual(["second", "harvested", undefined]);
    });

    it("saved by its run → not overwritten by a repeat of the reader", async () => {
      await world.stores.records.save(record("first"));
      await world.stores.records.setState(live(), "delinquent", { findings: ["why"] });
      await world.stores.records.save(record("first"));
      expect(await world.stores.records.get(world.id)).toMatchObject({
        state: "delinquent",
        findings: ["why"],
      });
    });

    it("delivered → final; reset → not final, and without its file", async () => {
      await world.stores.records.save(record("first"));
      await world.stores.records.setState(live(), "delivered", { deliveryFile: "f.xml" });
      await world.stores.records.setState(live(), "duplicate");
      await world.stores.records.save(record("second"));
      expect(await describeRecord()).toEqual(["first", "delivered", "f.xml"]);
      await world.stores.records.resetDelivered(test());
      expect(await describeRecord()).toEqual(["first", "delivered", "f.xml"]);
      await world.stores.records.resetDelivered(live());
      expect(await describeRecord()).toEqual(["first", "harvested", undefined]);
      await world.stores.records.save(record("second"));
      expect(await describeRecord()).toEqual(["second", "harvested", undefined]);
    });

    it("updated → the new content and a further version, unless its content is another one", async () => {
      const { records } = world.stores;
      await records.save({ ...record("first"), provenance: [] });
      const update = {
        recordKey: "k/updated",
        title: "New",
        landingUrl: "https://s.example/2",
        hash: "h2",
        provenance: undefined,
        origin: undefined,
        originFindings: undefined,
        deliveryFile: "f_updates.xml",
        updatedAt: time(3),
      };
      const of = (each: ReturnType<typeof live> | ReturnType<typeof test>, recordKey: string) => ({
        ...each,
        sourceId: "s",
        recordKey,
      });
      await records.replaceDelivered(of(live(), "k/first"), update);
      expect(await records.get(world.id)).toMatchObject({ title: "T", state: "harvested" });
      await records.setState(live(), "delivered", { deliveryFile: "f.xml" });
      await records.replaceDelivered(of(live(), "k/other"), update);
      await records.replaceDelivered(of(test(), "k/first"), update);
      expect(await records.get(world.id)).toMatchObject({ title: "T", deliveryFile: "f.xml" });
      for (const _time of [1, 2]) await records.replaceDelivered(of(live(), "k/first"), update);
      const { provenance: _p, origin: _o, originFindings: _f, ...content } = update;
      expect(await records.get(world.id)).toEqual({ ...record("first"), ...content, state: "delivered" });
      const versions = await records.versions(world.id);
      expect(versions.map(({ recordKey }) => recordKey)).toEqual(["k/updated", "k/first"]);
    });

    it("read without a delivery → a later poll and a test run overwrite it, and no poll changes it after that", async () => {
      await world.stores.records.save(record("poll", "NONE"));
      expect(await world.stores.records.save(record("next", "NONE"))).toBe(false);
      expect(await describeRecord()).toEqual(["next", "harvested", undefined]);
      await world.stores.records.save(record("test", "TEST"));
      expect(await describeRecord()).toEqual(["test", "harvested", undefined]);
      await world.stores.records.save(record("again", "NONE"));
      expect(await describeRecord()).toEqual(["test", "harvested", undefined]);
    });

    it("delivered by a test run → a live run takes it over, and no test run changes it after that", async () => {
      await world.stores.records.save(record("test", "TEST"));
      await world.stores.records.setState(live(), "duplicate");
      await world.stores.records.setState(test(), "delivered", { deliveryFile: "test.xml" });
      await world.stores.records.save(record("live"));
      expect(await describeRecord()).toEqual(["live", "harvested", undefined]);
      await world.stores.records.save(record("again", "TEST"));
      await world.stores.records.setState(test(), "delivered", { deliveryFile: "test.xml" });
      expect(await describeRecord()).toEqual(["live", "harvested", undefined]);
    });

    it("replaced again and again → the last four versions are known, newest first", async () => {
      for (const run of ["1", "2", "3", "4", "5"]) await world.stores.records.save(record(run));
      await world.stores.records.save(record("5"));
      const versions = await world.stores.records.versions(world.id);
      expect(versions.map(({ recordKey }) => recordKey)).toEqual(["k/5", "k/4", "k/3", "k/2"]);
      expect(new Set(versions.map(({ at }) => at))).toEqual(new Set([time(1)]));
      expect(await world.stores.records.get(world.id)).toEqual(record("5"));
    });

    it("never replaced → one version; unknown → none", async () => {
      expect(await world.stores.records.versions(world.id)).toEqual([]);
      await world.stores.records.save(record("first"));
      expect(await world.stores.records.versions(world.id)).toEqual([{ recordKey: "k/first", at: time(1) }]);
    });

    it("unknown → no state creates it", async () => {
      await world.stores.records.setState(live(), "delivered");
      expect(await world.stores.records.get(world.id)).toBeUndefined();
    });
  });
}
