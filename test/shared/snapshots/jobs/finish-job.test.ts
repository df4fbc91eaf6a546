import { beforeEach, describe, expect, it } from "vitest";
import type { UnreadLinks } from "../../../../shared/snapshots/capture/discovered-link.ts";
import type { CapturedUrls, JobUrl } from "../../../../shared/snapshots/jobs/captured-urls.ts";
import { finishJob } from "../../../../shared/snapshots/jobs/finish-job.ts";
import { assertEvent } from "../../assert-event.ts";
import { memorySnapshots } from "../definitions/memory-snapshots.ts";
import { startedAt, storeStartedJob } from "../definitions/started-job.ts";

let snapshots: ReturnType<typeof memorySnapshots>;
let written: string[];
let published: string[];
/** The URLs that were given up, or should have been. */
let given: string[];
/** Those whose answer is read while the job ends. */
let answered: Set<string>;
let mails: string[];
/** Whether no file can be written. */
let isFull: boolean;
beforeEach(async () => {
  snapshots = memorySnapshots();
  written = [];
  published = [];
  given = [];
  answered = new Set();
  isFull = false;
  mails = [];
  await storeStartedJob(snapshots, "https://a.example/");
});

const finish = (urls: JobUrl[], at = startedAt, jobId = 1) =>
  finishJob(
    { jobId },
    {
      snapshots,
      urls: {
        async *pages() {
          yield urls.map((each) => ({ ...each, urlId: each.url }));
        },
        finish: async (_jobId, urlId) => {
          given.push(urlId);
          return !answered.has(urlId);
        },
      } as Partial<CapturedUrls> as CapturedUrls,
      files: {
        async *part() {},
        write: async (_jobId, name) => {
          if (isFull) throw new Error("no space");
          written.push(name);
        },
        has: async () => false,
      },
      events: {
        publish: async (event) => {
          assertEvent(event);
          published.push(event.type);
        },
      },
      mailer: { send: async ({ text }) => void mails.push(text) },
      recipients: [],
      userAgent: "test",
      clock: { now: () => at, sleep: async () => {} },
    },
  );

describe("a job that is asked to end", () => {
  it("has begun, and does not want its seeds yet → continues", async () => {
    await finish([]);
    expect(written).toEqual([]);
    expect((await snapshots.job(1))?.state).toBe("started");
  });

  it("has one of its two seeds → continues, as the other one was lost", async () => {
    const job = await snapshots.job(1);
    if (job === undefined) throw new Error("the sample is stored");
    const two = { ...job, id: 2, seeds: [...job.seeds, "https://b.example/"] };
    await snapshots.addJob(two);
    const done: JobUrl = {
      url: "https://a.example/",
      hops: "",
      state: "done",
      outcome: { at: startedAt.toISOString(), log: "line" },
    };
    await finish([done], startedAt, 2);
    expect((await snapshots.job(2))?.state).toBe("started");
    await finish([done, { ...done, url: "https://b.example/" }], startedAt, 2);
    expect((await snapshots.job(2))?.state).toBe("failed");
  });

  it("still wants a URL → continues", async () => {
    await finish([{ url: "https://a.example/", hops: "", state: "wanted" }]);
    expect((await snapshots.job(1))?.state).toBe("started");
  });

  it("has left out links of some resources → sums them up, and mails that", async () => {
    const at = startedAt.toISOString();
    const part = {
      partId: "p",
      fileNumber: 0,
      sizeBytes: 10,
      recordBytes: 10,
      date: at,
      status: 200,
      isRevisit: false,
    };
    const url = (path: string, unread?: UnreadLinks): JobUrl => ({
      url: `https://a.example/${path}`,
      hops: "",
      state: "done",
      outcome: { at, log: "line", part, ...(unread && { unread }) },
    });
    await finish([
      url("", { dropped: 3, isCut: false }),
      url("a", { dropped: 4, isCut: true }),
      url("b", { dropped: 0, isCut: true }),
      url("c"),
    ]);
    expect(await snapshots.job(1)).toMatchObject({
      state: "done",
      unreadLinks: { dropped: 7, cutResources: 2 },
    });
    expect(mails).toEqual([
      expect.stringContaining("Links not read: 7, and those of 2 resources beyond its limit of size."),
    ]);
  });

  it("wants URLs an hour after its limit of time → ends with what was captured, and says so", async () => {
    const late = new Date(startedAt.getTime() + 65 * 60_000 + 1);
    const wanted: JobUrl = {
      url: "https://a.example/lost",
      hops: "L",
      via: "https://a.example/",
      state: "wanted",
    };
    const part = {
      partId: "p",
      fileNumber: 0,
      sizeBytes: 10,
      recordBytes: 10,
      date: startedAt.toISOString(),
      status: 200,
      isRevisit: false,
    };
    const done: JobUrl = {
      url: "https://a.example/",
      hops: "",
      state: "done",
      outcome: { at: startedAt.toISOString(), log: "line", part },
    };
    await finish([wanted, done], new Date(late.getTime() - 1));
    expect((await snapshots.job(1))?.state).toBe("started");
    await finish([wanted, done], late);
    expect(await snapshots.job(1)).toMatchObject({
      state: "done",
      comment: "1 URL had no outcome an hour after the limit of time",
    });
    expect(published).toEqual(["capture.done"]);
    expect(written).toContain("crawl.log");
    expect(given).toEqual(["https://a.example/lost"]);
  });

  it("gives a URL up whose answer is read meanwhile → writes nothing, and is asked to end again", async () => {
    const late = new Date(startedAt.getTime() + 65 * 60_000 + 1);
    answered.add("https://a.example/");
    await finish([{ url: "https://a.example/", hops: "", state: "wanted" }], late);
    expect(written).toEqual([]);
    expect((await snapshots.job(1))?.state).toBe("started");
  });

  it("cannot write its files → its URLs are given up before: an answer that comes then changes no file", async () => {
    const late = new Date(startedAt.getTime() + 65 * 60_000 + 1);
    isFull = true;
    const wanted: JobUrl = { url: "https://a.example/", hops: "", state: "wanted" };
    await expect(finish([wanted], late)).rejects.toThrow("no space");
    expect(given).toEqual(["https://a.example/"]);
  });

  it("has begun, and its seeds are not there an hour after its limit of time → has failed", async () => {
    await finish([], new Date(startedAt.getTime() + 65 * 60_000 + 1));
    expect(await snapshots.job(1)).toMatchObject({ state: "failed", comment: "no URL was answered" });
    expect(published).toEqual(["capture.failed"]);
  });

  it("has asked for all, and nothing has answered → has failed, with its crawl log", async () => {
    await finish([
      {
        url: "https://a.example/",
        hops: "",
        state: "done",
        outcome: { at: startedAt.toISOString(), log: "line" },
      },
    ]);
    expect(written).toEqual(["index.cdxj", "crawl.log"]);
    expect(await snapshots.job(1)).toMatchObject({ state: "failed", hasCrawlLog: true });
  });
});
