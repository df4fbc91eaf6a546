import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { HarvestJob } from "../../../../shared/snapshots/definitions/job.ts";
import type { JobUrl } from "../../../../shared/snapshots/jobs/captured-urls.ts";
import { jobWarcinfoId, nextWarcNumber, planWarcs } from "../../../../shared/snapshots/jobs/job-warcs.ts";
import { memorySnapshots } from "../definitions/memory-snapshots.ts";
import { startedAt, storeStartedJob } from "../definitions/started-job.ts";

async function startedJob(): Promise<HarvestJob> {
  const snapshots = memorySnapshots();
  await storeStartedJob(snapshots, "https://a.example/");
  const job = await snapshots.job(1);
  if (job === undefined) throw new Error("the sample is stored");
  return job;
}

const captured = (path: string, fileNumber: number): JobUrl => ({
  url: `https://a.example/${path}`,
  hops: "",
  state: "done",
  outcome: {
    at: startedAt.toISOString(),
    log: "line",
    part: {
      partId: path,
      fileNumber,
      sizeBytes: 100,
      recordBytes: 60,
      date: startedAt.toISOString(),
      status: 200,
      isRevisit: false,
    },
  },
});

it.each([
  [0, 0],
  [999_999_999, 0],
  [1_000_000_000, 1],
  [3_500_000_000, 3],
])("a job that has captured %i bytes → file %i comes next", (bytes, number) => {
  expect(nextWarcNumber({ bytes })).toBe(number);
});

it("records of three files → each file begins with the warcinfo record that they name, and has them in their order", async () => {
  const job = await startedJob();
  const urls = [captured("a", 0), captured("b", 1), captured("c", 0), captured("d", 4)];
  const files = await planWarcs(job, urls, { userAgent: "test" });
  expect(files.map(({ name }) => name)).toEqual(
    ["00000", "00001", "00004"].map((number) => `INGATHER-1-20261122120000-${number}.warc.gz`),
  );
  expect(files.map(({ members }) => members.map(({ part }) => part.partId))).toEqual([
    ["a", "c"],
    ["b"],
    ["d"],
  ]);
  for (const [index, number] of [0, 1, 4].entries()) {
    const info = String(gunzipSync(files[index]?.warcinfo ?? Buffer.alloc(0)));
    expect(info).toContain(`WARC-Record-ID: <${jobWarcinfoId(job, number)}>\r\n`);
    expect(info).toContain(`WARC-Filename: ${files[index]?.name}\r\n`);
  }
  const [first] = files;
  const start = first?.warcinfo.byteLength ?? 0;
  expect(first?.members.map(({ place }) => place)).toEqual([
    { filename: first?.name, offset: start, length: 60 },
    { filename: first?.name, offset: start + 100, length: 60 },
  ]);
  expect(await planWarcs(job, urls, { userAgent: "test" })).toEqual(files);
});
