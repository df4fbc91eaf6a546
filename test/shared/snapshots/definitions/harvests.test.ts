import { beforeEach, describe, expect, it } from "vitest";
import type { DomainEvent } from "../../../../shared/records/events/events.ts";
import type { Mail } from "../../../../shared/records/mail/mailer.ts";
import {
  activateDefinition,
  changeDefinition,
  createDefinition,
  deactivateDefinition,
} from "../../../../shared/snapshots/definitions/change-definition.ts";
import { definitionInput } from "../../../../shared/snapshots/definitions/definition-input.ts";
import { generateJobs } from "../../../../shared/snapshots/definitions/generate-jobs.ts";
import { recordIndex } from "../../../../shared/snapshots/definitions/record-index.ts";
import { removeDefinition } from "../../../../shared/snapshots/definitions/remove-definition.ts";
import { resubmitJob } from "../../../../shared/snapshots/definitions/resubmit-job.ts";
import type { SnapshotStore } from "../../../../shared/snapshots/definitions/snapshot-store.ts";
import {
  addUploadedJob,
  cancelUploadedJob,
  completeUploadedJob,
  uploadedJobInput,
} from "../../../../shared/snapshots/definitions/uploaded-jobs.ts";
import type { IndexRequest } from "../../../../shared/snapshots/index/build/index-build.ts";
import { assertEvent } from "../../assert-event.ts";
import { memorySnapshots } from "./memory-snapshots.ts";

const begin = new Date("2026-11-20T20:00:00Z");
let now: Date;
let snapshots: SnapshotStore;
let requested: IndexRequest[];
let begun: number[];
let ended: number[];
/** By id, as the mailer sends each once. */
let mails: Map<string, Mail>;
/** By their ids, as one may come twice. */
let published: Map<string, DomainEvent>;
/** The jobs that still want a URL. */
let wanting: Set<number>;
/** What the mail server does. */
let sendMail: () => void;

const clock = { now: () => now, sleep: async () => undefined };
const ports = () => ({
  snapshots,
  clock,
  recipients: ["operator@a.example"],
  indexRequests: { send: async (request: IndexRequest) => void requested.push(request) },
  captureJobs: { send: async ({ jobId }: { jobId: number }) => void begun.push(jobId) },
  urls: { hasWanted: async (jobId: number) => wanting.has(jobId) },
  capturedJobs: { send: async ({ jobId }: { jobId: number }) => void ended.push(jobId) },
  events: {
    publish: async (event: DomainEvent) => {
      assertEvent(event);
      published.set(event.changeId, event);
    },
  },
  mailer: {
    send: async (mail: Mail) => {
      sendMail();
      mails.set(mail.id, mail);
    },
  },
});

beforeEach(() => {
  now = begin;
  snapshots = memorySnapshots();
  [requested, begun, ended] = [[], [], []];
  wanting = new Set();
  mails = new Map();
  published = new Map();
  sendMail = () => undefined;
});

const input = (more: object = {}) =>
  definitionInput.parse({ title: "T", type: "snapshot", seeds: ["http://a.example/"], ...more });

async function create(more: object = {}): Promise<string> {
  return (await createDefinition(input(more), ports())).definition.id;
}

const get = async (id: string) => (await snapshots.definition(id))?.definition;

/** A definition that has run: its only job is done, and has a crawl log. */
async function finished(title: string): Promise<string> {
  const id = await create({ title });
  await activateDefinition(id, ports());
  await generateJobs(now, ports());
  const [jobId = 0] = (await get(id))?.jobIds ?? [];
  await snapshots.changeJob(jobId, "submitted", { state: "started", startedAt: now });
  await snapshots.changeJob(jobId, "started", { state: "done", hasCrawlLog: true });
  await generateJobs(now, ports());
  begun = [];
  return id;
}

const passMinutes = (count: number) => {
  now = new Date(now.getTime() + count * 60_000);
  return generateJobs(now, ports());
};

describe("a job of another crawler", () => {
  const filesOf = async () => [
    { name: "jobs/1/uploads/crawl.log", sizeBytes: 1, version: "1" },
    { name: "jobs/1/uploads/a.cdx", sizeBytes: 1, version: "1" },
  ];
  const uploads = (stored = filesOf) => ({ ...ports(), filesOf: stored });

  it("whose files are not completed in a day → failed, so that what continues it may begin; then it is not completed", async () => {
    const id = await create();
    const job = await addUploadedJob(id, { files: ["crawl.log", "a.cdx"] }, uploads());
    const jobId = job !== undefined && "id" in job ? job.id : 0;
    const next = await create({ title: "Next", previous: id });
    await passMinutes(24 * 60);
    expect(await activateDefinition(next, ports())).toMatchObject({
      refusal: expect.stringContaining("unfinished"),
    });
    await passMinutes(1);
    expect(await snapshots.job(jobId)).toMatchObject({
      state: "failed",
      comment: "its files were not completed within 24 hours",
    });
    expect((await get(id))?.history.at(-1)?.what).toBe("ended: 1 job failed");
    expect(await completeUploadedJob(jobId, uploads())).toMatchObject({
      refusal: expect.stringContaining("has failed: its files were not completed"),
    });
    expect(await activateDefinition(next, ports())).toMatchObject({
      definition: { index: { state: "ready", jobIds: [] } },
    });
  });

  it.each<[string, object, string]>([
    ["a file twice", { files: ["crawl.log", "crawl.log"] }, "must not name a file twice"],
    [
      "a beginning in the future",
      { files: ["crawl.log"], startedAt: "2999-01-01T00:00:00Z" },
      "must not be in the future",
    ],
  ])("with %s → refused", async (_title, given, problem) => {
    const id = await create();
    const add = async () => addUploadedJob(id, uploadedJobInput.parse(given), uploads());
    await expect(add()).rejects.toThrow(problem);
    expect((await get(id))?.jobIds).toEqual([]);
  });

  it("that is cancelled, twice → failed, and nothing waits for it; one that is done → refused", async () => {
    const id = await create();
    await addUploadedJob(id, { files: ["crawl.log", "a.cdx"] }, uploads());
    const [jobId = 0] = (await get(id))?.jobIds ?? [];
    const failed = { state: "failed", comment: "its upload was cancelled" };
    expect(await cancelUploadedJob(jobId, ports())).toMatchObject(failed);
    expect(await cancelUploadedJob(jobId, ports())).toMatchObject(failed);
    await passMinutes(1);
    expect((await get(id))?.history.at(-1)?.what).toBe("ended: 1 job failed");
    const next = await create({ previous: id });
    expect(await activateDefinition(next, ports())).toMatchObject({ definition: { index: { jobIds: [] } } });
    await addUploadedJob(id, { files: ["crawl.log", "a.cdx"] }, uploads());
    const done = (await get(id))?.jobIds.at(-1) ?? 0;
    await completeUploadedJob(done, uploads());
    expect(await cancelUploadedJob(done, ports())).toEqual({ refusal: `job ${done} is done` });
    expect(await cancelUploadedJob(999, ports())).toBeUndefined();
  });

  it("that is completed → done, however long ago it was added", async () => {
    const id = await create();
    await addUploadedJob(id, { files: ["crawl.log", "a.cdx"] }, uploads());
    const [jobId = 0] = (await get(id))?.jobIds ?? [];
    expect(await completeUploadedJob(jobId, uploads())).toMatchObject({ state: "done" });
    await passMinutes(10_000);
    expect(await snapshots.job(jobId)).toMatchObject({ state: "done" });
  });
});

describe("a definition", () => {
  it("whose title has control characters → refused", () => {
    expect(() => input({ title: "a\u202eb" })).toThrow("must be a line of text");
  });

  it("changed while it is activated → the change and the activation both count", async () => {
    const id = await create();
    const store = snapshots;
    let isFirst = true;
    snapshots = {
      ...store,
      async jobs() {
        if (isFirst) await changeDefinition(id, input({ seeds: ["http://b.example/"] }), ports());
        isFirst = false;
        return store.jobs();
      },
    };
    await activateDefinition(id, ports());
    expect(await get(id)).toMatchObject({ isActive: true, seeds: ["http://b.example/"] });
  });

  it("active, or has run → not changed, with the reason", async () => {
    const id = await finished("old");
    await expect(changeDefinition(id, input(), ports())).rejects.toThrow("is active");
    await deactivateDefinition(id, ports());
    await expect(changeDefinition(id, input(), ports())).rejects.toThrow("has run");
  });

  it("changed or removed with the revision of another version → stale; with that of this one → done", async () => {
    const id = await create();
    const isMeant = (version: number) => version === 1;
    expect(await changeDefinition(id, input({ title: "U" }), ports(), isMeant)).toMatchObject({ version: 2 });
    expect(await changeDefinition(id, input({ title: "V" }), ports(), isMeant)).toBe("stale");
    expect(await removeDefinition(id, ports(), isMeant)).toEqual({ type: "stale" });
    expect(await get(id)).toMatchObject({ title: "U" });
    expect(await removeDefinition(id, ports(), (version) => version === 2)).toEqual({ type: "removed" });
    expect(await removeDefinition(id, ports(), undefined)).toEqual({ type: "unknown" });
  });

  it("active, with jobs, or continued by another one → not removed, with the reason", async () => {
    const ran = await finished("old");
    const draft = await create({ title: "draft" });
    const next = await create({ title: "next", previous: draft });
    const reasonOf = async (id: string) => {
      const removal = await removeDefinition(id, ports(), undefined);
      return removal.type === "refused" ? removal.reason : removal.type;
    };
    expect(await reasonOf(ran)).toContain("is active");
    await deactivateDefinition(ran, ports());
    expect(await reasonOf(ran)).toContain("has jobs, whose captures are kept");
    expect(await reasonOf(draft)).toBe(`Harvest definition ${next} is based on ${draft}`);
    expect([await reasonOf(next), await reasonOf(draft)]).toEqual(["removed", "removed"]);
  });

  it.each([
    ["пример.рф", "xn--e1afmkfd.xn--p1ai"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["XN--BCHER-KVA.example", "xn--bcher-kva.example"],
    ["Journal.Example", "journal.example"],
    ["日本語.jp", "xn--wgv71a119e.jp"],
  ])("with the domain or the seed %s → stored as %s", async (typed, host) => {
    const id = await create({ seeds: [], domains: [typed] });
    expect(await get(id)).toMatchObject({ seeds: [`https://${host}/`] });
    expect(input({ seeds: [`http://${typed}/a`] }).seeds).toEqual([`http://${host}/a`]);
  });

  it.each([
    "localhost",
    "a b.example",
    "192.0.2.1",
    "xn--.example",
    "-a.example",
    "https://a.example/",
    "a.example:80",
  ])("with %j as a domain → refused with the value", (domain) => {
    expect(() => input({ domains: [domain] })).toThrow(
      "must be a domain, such as a.example or bücher.example",
    );
  });

  it("with 501 seeds → two jobs; generated again → the same two", async () => {
    const seeds = Array.from({ length: 501 }, (_, n) => `http://a.example/${n}`);
    const id = await create({ seeds });
    await activateDefinition(id, ports());
    expect(await generateJobs(now, ports())).toEqual({ active: 1, made: 2 });
    expect(await generateJobs(now, ports())).toEqual({ active: 1, made: 0 });
    expect((await get(id))?.jobIds).toEqual([1, 2]);
    expect((await snapshots.job(2))?.seeds).toEqual(["http://a.example/500"]);
    expect(begun).toEqual([1, 2]);
  });

  it("all jobs ended → says so, with their states, once", async () => {
    const id = await finished("old");
    await passMinutes(1);
    expect(await get(id)).toMatchObject({ endedAt: begin, isActive: true });
    expect((await get(id))?.history.filter(({ what }) => what === "ended: 1 job done")).toHaveLength(1);
  });

  it("a job that still wants a URL → is not asked to end", async () => {
    await activateDefinition(await create(), ports());
    await generateJobs(now, ports());
    await snapshots.changeJob(1, "submitted", { state: "started", startedAt: now });
    wanting.add(1);
    await passMinutes(1);
    expect(ended).toEqual([]);
    wanting.delete(1);
    await passMinutes(1);
    expect(ended).toEqual([1]);
  });

  it("a job that still wants a URL an hour after its limit of time → is asked to end", async () => {
    const id = await create({ type: "selective", limits: { maxMinutes: 5 } });
    await activateDefinition(id, ports());
    await generateJobs(now, ports());
    const [jobId = 0] = (await get(id))?.jobIds ?? [];
    await snapshots.changeJob(jobId, "submitted", { state: "started", startedAt: now });
    wanting.add(jobId);
    const limit = now.getTime() + 65 * 60_000;
    await generateJobs(new Date(limit), ports());
    expect(ended).toEqual([]);
    await generateJobs(new Date(limit + 1), ports());
    expect(ended).toEqual([jobId]);
  });

  it("the message that begins a job, or its seeds, are lost → sent again after minutes, until it has begun", async () => {
    await activateDefinition(await create(), ports());
    await generateJobs(now, ports());
    await passMinutes(5);
    expect(begun).toEqual([1]);
    await passMinutes(1);
    expect(begun).toEqual([1, 1]);
    await snapshots.changeJob(1, "submitted", { state: "started", startedAt: now });
    wanting.add(1);
    await passMinutes(6);
    expect(begun).toEqual([1, 1]);
    wanting.delete(1);
    await passMinutes(1);
    expect({ begun, ended }).toEqual({ begun: [1, 1, 1], ended: [1] });
  });

  it("a job of another crawler whose files are awaited → is not begun", async () => {
    const id = await create();
    const filesOf = async () => [];
    await addUploadedJob(id, { files: ["crawl.log", "a.cdx"] }, { ...ports(), filesOf });
    await passMinutes(10);
    expect(begun).toEqual([]);
  });

  it("deactivated while a job captures → the job is ended all the same", async () => {
    const id = await create();
    await activateDefinition(id, ports());
    await generateJobs(now, ports());
    await snapshots.changeJob(1, "submitted", { state: "started", startedAt: now });
    await deactivateDefinition(id, ports());
    expect((await get(id))?.index).toBeUndefined();
    await passMinutes(1);
    expect(ended).toEqual([1]);
  });
});

describe("an answer of an index build", () => {
  let id: string;
  let answer: { definitionId: string; generation: number; missing: number[] };
  const index = { name: "1", shards: 1, entries: 2 };
  beforeEach(async () => {
    const previous = await finished("old");
    id = await create({ title: "new", previous });
    await activateDefinition(id, ports());
    answer = { definitionId: id, generation: 1, missing: [] };
  });

  it("activation → one request names the frozen job set and the generation", () => {
    expect(requested).toEqual([
      {
        definitionId: id,
        generation: 1,
        indexName: "1",
        jobIds: [1],
        includesText: false,
        minimumShare: 0.7,
      },
    ]);
  });

  it("ready → the jobs begin with the message, once", async () => {
    await generateJobs(now, ports());
    expect(begun).toEqual([]);
    await recordIndex({ ...answer, index }, ports());
    await recordIndex({ ...answer, index }, ports());
    await generateJobs(now, ports());
    expect((await get(id))?.jobIds).toEqual([2]);
    expect(begun).toEqual([2]);
    expect([...mails.values()]).toEqual([]);
    const detail = { definitionId: id, generation: 1, missing: [] };
    expect([...published.values()]).toEqual([{ type: "index.ready", changeId: `index/${id}/1`, detail }]);
  });

  it("failed → deactivated; one mail says why and names the jobs", async () => {
    await recordIndex({ ...answer, missing: [1] }, ports());
    await recordIndex({ ...answer, missing: [1] }, ports());
    expect(await get(id)).toMatchObject({ isActive: false, index: { state: "failed", missing: [1] } });
    expect([...mails.values()]).toMatchObject([
      { subject: "Snapshot new: deactivated", text: expect.stringContaining("cannot be read: 1.") },
    ]);
    expect([...published.values()]).toMatchObject([
      {
        type: "index.failed",
        detail: { missing: [1], reason: expect.stringContaining("cannot be read: 1") },
      },
    ]);
    await generateJobs(now, ports());
    expect((await get(id))?.jobIds).toEqual([]);
  });

  it("of an earlier generation → nothing changes, nobody is mailed, nothing begins", async () => {
    await recordIndex({ ...answer, error: "no space" }, ports());
    await activateDefinition(id, ports());
    const before = await get(id);
    mails.clear();
    published.clear();
    await recordIndex({ ...answer, index }, ports());
    await recordIndex({ ...answer, error: "no space" }, ports());
    expect(await get(id)).toEqual(before);
    expect(before).toMatchObject({ generation: 2, index: { state: "requested" } });
    expect([[...mails.values()], [...published.values()], begun]).toEqual([[], [], []]);
  });

  it("after the deactivation → nothing begins", async () => {
    await deactivateDefinition(id, ports());
    await recordIndex({ ...answer, index }, ports());
    expect(await get(id)).toMatchObject({ isActive: false, jobIds: [] });
    expect(begun).toEqual([]);
  });

  it("no answer → requested again after minutes, under new generations after hours, then expired", async () => {
    await passMinutes(6);
    expect(requested.map(({ generation }) => generation)).toEqual([1, 1]);
    await passMinutes(6 * 60);
    await passMinutes(6 * 60);
    expect(requested.map(({ generation }) => generation)).toEqual([1, 1, 2, 3]);
    sendMail = () => {
      throw new Error("mail server is down");
    };
    const other = await create({ title: "other", deduplicate: false });
    await activateDefinition(other, ports());
    await expect(passMinutes(6 * 60)).rejects.toThrow("1 harvest definition could not be served");
    expect((await get(other))?.jobIds).toHaveLength(1);
    expect(await get(id)).toMatchObject({ isActive: false, index: { state: "expired" } });
    sendMail = () => undefined;
    expect([...published.values()]).toMatchObject([{ type: "index.failed", detail: { generation: 3 } }]);
    await passMinutes(1);
    expect([...mails.values()]).toMatchObject([{ text: expect.stringContaining("the last of 3 attempts") }]);
  });
});

describe("a partial index", () => {
  it("of three jobs, without one → the jobs begin; a mail names the missing one", async () => {
    const previous = await create({ title: "old", seeds: thousand });
    await activateDefinition(previous, ports());
    await generateJobs(now, ports());
    for (const jobId of [1, 2, 3]) await snapshots.changeJob(jobId, "submitted", done);
    const id = await create({ title: "new", previous, minimumShare: 0.6 });
    await activateDefinition(id, ports());
    const index = { name: "1-2-3", shards: 1, entries: 2 };
    await recordIndex({ definitionId: id, generation: 1, missing: [2], index }, ports());
    expect(await get(id)).toMatchObject({
      isActive: true,
      index: { state: "ready-partial", missing: [2] },
      jobIds: [4],
    });
    expect([...mails.values()]).toMatchObject([
      {
        subject: "Snapshot new: index ready, but partial",
        text: expect.stringContaining("lacks 1 job of 3: 2."),
      },
    ]);
  });

  const thousand = Array.from({ length: 1001 }, (_, n) => `http://a.example/${n}`);
  const done = { state: "done", hasCrawlLog: true } as const;
});

describe("resubmitJob", () => {
  /** A definition whose only job is in this state. */
  async function withJob(state: "submitted" | "started" | "failed") {
    const id = await create();
    await activateDefinition(id, ports());
    await generateJobs(now, ports());
    if (state !== "submitted") await snapshots.changeJob(1, "submitted", { state });
    return id;
  }

  it.each(["failed", "submitted"] as const)("a job that is %s, twice → one more job", async (state) => {
    const id = await withJob(state);
    const again = await resubmitJob(1, ports());
    expect(again).toMatchObject({ id: 2, state: "new", seeds: ["http://a.example/"] });
    expect(await resubmitJob(1, ports())).toEqual(again);
    expect(await snapshots.job(1)).toMatchObject({ state: "resubmitted", repeatedBy: 2 });
    expect((await get(id))?.jobIds).toEqual([1, 2]);
    await passMinutes(1);
    expect(begun).toEqual([1, 2]);
  });

  it("a job that has started, or is not there → refused with its state; undefined", async () => {
    await withJob("started");
    expect(await resubmitJob(1, ports())).toEqual({
      refusal: "job 1 is started; only a submitted or failed job is resubmitted",
    });
    expect(await resubmitJob(9, ports())).toBeUndefined();
  });

  it("a job of a definition whose index is not ready → begins when it is", async () => {
    const previous = await finished("old");
    const id = await create({ title: "new", previous });
    await activateDefinition(id, ports());
    const index = { name: "1", shards: 1, entries: 2 };
    await recordIndex({ definitionId: id, generation: 1, missing: [], index }, ports());
    await snapshots.changeJob(2, "submitted", { state: "failed" });
    await deactivateDefinition(id, ports());
    await resubmitJob(2, ports());
    await passMinutes(1);
    await activateDefinition(id, ports());
    await passMinutes(1);
    expect(begun).toEqual([2]);
    await recordIndex({ definitionId: id, generation: 2, missing: [], index }, ports());
    expect(begun).toEqual([2, 3]);
  });

  it("two at the same time → the job that nobody names does not hold up the next snapshot", async () => {
    const id = await withJob("failed");
    await Promise.all([resubmitJob(1, ports()), resubmitJob(1, ports())]);
    const named = (await get(id))?.jobIds ?? [];
    expect(named).toHaveLength(2);
    await snapshots.changeJob(named[1] ?? 0, "new", { state: "done", hasCrawlLog: true });
    const next = await create({ title: "next", previous: id });
    expect(await activateDefinition(next, ports())).toMatchObject({ definition: { isActive: true } });
  });
});
