import { beforeEach, describe, expect, it } from "vitest";
import type { CapturedUrls, JobUrl } from "../../../../shared/snapshots/jobs/captured-urls.ts";
import { finishJob } from "../../../../shared/snapshots/jobs/finish-job.ts";
import { memorySnapshots } from "../definitions/memory-snapshots.ts";

const now = new Date("2026-11-22T12:00:00Z");
const definition = {
  id: "d",
  title: "D",
  type: "selective" as const,
  seeds: ["https://a.example/"],
  limits: { maxObjects: 10, maxBytes: 1000, maxDepth: 1, maxMinutes: 5 },
  deduplicate: false,
  deduplicateText: false,
  minimumShare: 0.7,
  isActive: true,
  createdAt: now,
  generation: 1,
  jobIds: [1],
  history: [],
};

let snapshots: ReturnType<typeof memorySnapshots>;
let written: string[];
beforeEach(async () => {
  snapshots = memorySnapshots();
  written = [];
  await snapshots.create(definition);
  await snapshots.addJob({
    id: 1,
    definitionId: "d",
    state: "started",
    seeds: definition.seeds,
    createdAt: now,
    startedAt: now,
    hasCrawlLog: false,
    objects: 0,
    bytes: 0,
    files: [],
  });
});

const finish = (urls: JobUrl[]) =>
  finishJob(
    { jobId: 1 },
    {
      snapshots,
      urls: {
        async *pages() {
          yield urls;
        },
      } as Partial<CapturedUrls> as CapturedUrls,
      files: {
        async *part() {},
        write: async (_jobId, name) => void written.push(name),
        has: async () => false,
      },
      events: { publish: async () => {} },
      mailer: { send: async () => {} },
      recipients: [],
      userAgent: "test",
      clock: { now: () => now, sleep: async () => {} },
    },
  );

describe("a job that is asked to end", () => {
  it("has begun, and does not want its seeds yet → goes on", async () => {
    await finish([]);
    expect(written).toEqual([]);
    expect((await snapshots.job(1))?.state).toBe("started");
  });

  it("still wants a URL → goes on", async () => {
    await finish([{ url: "https://a.example/", hops: "", state: "wanted" }]);
    expect((await snapshots.job(1))?.state).toBe("started");
  });

  it("has asked for all, and nothing has answered → has failed, with its crawl log", async () => {
    await finish([
      { url: "https://a.example/", hops: "", state: "done", outcome: { at: now.toISOString(), log: "line" } },
    ]);
    expect(written).toEqual(["index.cdxj", "crawl.log"]);
    expect(await snapshots.job(1)).toMatchObject({ state: "failed", hasCrawlLog: true });
  });
});
