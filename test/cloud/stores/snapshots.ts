import { describe, expect, it } from "vitest";
import type { HarvestDefinition } from "../../../shared/snapshots/definitions/definition.ts";
import type { HarvestJob } from "../../../shared/snapshots/definitions/job.ts";
import { type UrlOutcome, urlIdOf } from "../../../shared/snapshots/jobs/captured-urls.ts";
import { type StoreTest, time } from "./world.ts";

/** What the stores of snapshots promise. */
export function snapshotCases(world: StoreTest): void {
  describe("a harvest definition", () => {
    const definition = (title: string): HarvestDefinition => ({
      ...{ id: world.id, title, type: "selective", seeds: ["https://a.example/", "https://b.example/"] },
      limits: { maxObjects: 2, maxBytes: 100, maxObjectBytes: 50, maxDepth: 1, maxMinutes: 9 },
      ...{ deduplicate: false, deduplicateText: false, minimumShare: 1, isActive: true, generation: 1 },
      ...{ createdAt: new Date(time(1)), jobIds: [], history: [{ at: new Date(time(1)), what: "created" }] },
    });

    it("created once, and replaced on the version that was read alone", async () => {
      const { snapshots } = world.stores;
      expect(await snapshots.definition(world.id)).toBeUndefined();
      expect(await snapshots.create(definition("first"))).toBe(true);
      expect(await snapshots.create(definition("other"))).toBe(false);
      const first = await snapshots.definition(world.id);
      expect(first?.definition).toEqual(definition("first"));
      expect(await snapshots.replace(definition("second"), first?.version ?? 0)).toBe(true);
      expect(await snapshots.replace(definition("third"), first?.version ?? 0)).toBe(false);
      expect((await snapshots.definition(world.id))?.definition).toEqual(definition("second"));
      const { seeds: _elsewhere, ...summary } = definition("second");
      const listed = (await snapshots.definitions()).filter(({ id }) => id === world.id);
      expect(listed).toEqual([expect.objectContaining(summary)]);
      expect(await snapshots.remove(world.id, 1)).toBe(false);
      expect(await snapshots.remove(world.id, 2)).toBe(true);
      expect(await snapshots.definition(world.id)).toBeUndefined();
      // A repetition, as after a lost answer.
      expect(await snapshots.remove(world.id, 2)).toBe(true);
    });
  });

  describe("a job", () => {
    const newJob = async (): Promise<HarvestJob> => ({
      ...{ id: await world.stores.snapshots.reserveJobIds(2), definitionId: world.id, state: "new" },
      ...{ seeds: ["https://a.example/"], createdAt: new Date(time(1)), hasCrawlLog: false },
      ...{ objects: 0, bytes: 0, files: [] },
    });

    it("added once; changed from the state that it is in, and never backwards", async () => {
      const { snapshots } = world.stores;
      const job = await newJob();
      expect(await snapshots.reserveJobIds(1)).toBeGreaterThan(job.id + 1);
      await snapshots.addJob(job);
      await snapshots.addJob({ ...job, state: "done" });
      expect(await snapshots.job(job.id)).toEqual(job);
      const startedAt = new Date(time(2));
      expect(await snapshots.changeJob(job.id, "new", { state: "started", startedAt })).toBe(true);
      expect(await snapshots.changeJob(job.id, "new", { state: "failed" })).toBe(false);
      await expect(snapshots.changeJob(job.id, "done", { state: "started" })).rejects.toThrow("cannot go");
      expect(await snapshots.job(job.id)).toEqual({ ...job, state: "started", startedAt });
    });

    it("captures → counted; the limit that is reached first stays", async () => {
      const { snapshots } = world.stores;
      const job = await newJob();
      await snapshots.addJob(job);
      const limits = { maxObjects: 2, maxBytes: 100 };
      await snapshots.countCapture(job.id, { bytes: 30, limits });
      expect(await snapshots.job(job.id)).toEqual({ ...job, objects: 1, bytes: 30 });
      await snapshots.countCapture(job.id, { bytes: 5, limits });
      await snapshots.countCapture(job.id, { bytes: 90, limits });
      expect(await snapshots.job(job.id)).toEqual({ ...job, objects: 3, bytes: 125, limit: "objects" });
    });
  });

  describe("the URLs of a job", () => {
    const outcome: UrlOutcome = { at: time(2), log: "line" };
    const wanted = (url: string, via?: string) => ({ url, hops: "L", ...(via !== undefined && { via }) });
    const open = async () => {
      const jobId = await world.stores.snapshots.reserveJobIds(1);
      return { jobId, urls: world.stores.capturedUrls, idOf: (url: string) => urlIdOf(jobId, url) };
    };

    it("added by one page, and again → wanted by that page until it is done", async () => {
      const { jobId, urls, idOf } = await open();
      const one = wanted("https://a.example/1", "https://a.example/");
      const seed = wanted("https://a.example/");
      expect(await urls.add(jobId, [seed, one])).toEqual([seed, one]);
      expect(await urls.add(jobId, [one, wanted(one.url, "https://a.example/other")])).toEqual([one]);
      expect(await urls.finish(jobId, idOf(one.url), outcome)).toBe(true);
      expect(await urls.finish(jobId, idOf(one.url), { ...outcome, log: "later" })).toBe(false);
      expect(await urls.add(jobId, [one])).toEqual([]);
      expect(await urls.get(jobId, idOf(one.url))).toMatchObject({ ...one, state: "done", outcome });
      expect(await urls.hasWanted(jobId)).toBe(true);
      expect(await urls.finish(jobId, idOf(seed.url), outcome)).toBe(true);
      expect(await urls.hasWanted(jobId)).toBe(false);
    });

    it("unread → wanted no longer; done later → no sign of that is left", async () => {
      const { jobId, urls, idOf } = await open();
      const id = idOf("https://a.example/");
      await urls.add(jobId, [wanted("https://a.example/")]);
      await urls.noteUnread(jobId, id, new Date(time(3)));
      expect(await urls.get(jobId, id)).toMatchObject({ state: "unread", unreadAt: time(3) });
      expect(await urls.hasWanted(jobId)).toBe(false);
      await urls.finish(jobId, id, outcome);
      await urls.noteUnread(jobId, id, new Date(time(4)));
      const done = await urls.get(jobId, id);
      expect(done).toMatchObject({ state: "done", outcome });
      expect(done).not.toHaveProperty("unreadAt");
    });

    it("an exchange before the last one of a URL → awaited, then kept once, with the others of the job", async () => {
      const { jobId, urls, idOf } = await open();
      const id = `${idOf("https://a.example/")}-1`;
      await urls.awaitInterims(jobId, new Map([[id, wanted("https://a.example/")]]));
      expect(await urls.hasWanted(jobId)).toBe(true);
      for (const log of ["first", "second"])
        await urls.addInterim(jobId, id, { ...wanted("https://a.example/"), outcome: { ...outcome, log } });
      await urls.awaitInterims(jobId, new Map([[id, wanted("https://a.example/")]]));
      const all = [];
      for await (const page of urls.pages(jobId)) all.push(...page);
      expect(all).toEqual([
        expect.objectContaining({ urlId: id, state: "done", outcome: { ...outcome, log: "first" } }),
      ]);
    });

    it("queries of a path → as many as are allowed", async () => {
      const { jobId, urls } = await open();
      const counted = [];
      for (const path of ["/a", "/a", "/b", "/a"]) counted.push(await urls.countQuery(jobId, path, 2));
      expect(counted).toEqual([true, true, true, false]);
    });
  });
}
