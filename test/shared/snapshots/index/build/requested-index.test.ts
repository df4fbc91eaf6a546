import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../../local/cloud/seeded-random.ts";
import { failPart } from "../../../../../shared/snapshots/index/build/build-part.ts";
import { type IndexRequest, indexRequest } from "../../../../../shared/snapshots/index/build/index-build.ts";
import { inputOfJob } from "../../../../../shared/snapshots/index/build/job-input.ts";
import { planBuild } from "../../../../../shared/snapshots/index/build/plan-build.ts";
import { DeduplicationIndex } from "../../../../../shared/snapshots/index/deduplication-index.ts";
import { linesOf } from "./memory-build.ts";
import { died, MemoryBuilds } from "./memory-builds.ts";

const logLine = (n: number, type = "image/png") =>
  `2020-01-01T00:00:00.000Z 200 10 http://a.example/${n} L - ${type} #001 20200101000000123+4 sha1:D${n} - -\n`;
const cdxLine = (n: number) => `http://a.example/${n} 1.2.3.4 20200101000001 image/png 10 a.warc.gz ${n}\n`;

function withJobs(...jobIds: number[]): MemoryBuilds {
  const memory = new MemoryBuilds();
  for (const jobId of jobIds) {
    const numbers = Array.from({ length: 20 }, (_, n) => 100 * jobId + n);
    memory.put(jobId, "crawl.log", numbers.map((n) => logLine(n)).join(""));
    memory.put(jobId, "index.cdxj", numbers.map(cdxLine).join(""));
  }
  return memory;
}

const request = (jobIds: number[], more: Partial<IndexRequest> = {}) =>
  indexRequest.parse({ definitionId: "d", generation: 1, indexName: jobIds.join("-"), jobIds, ...more });

const building = { definitionId: "d", generation: 1, state: "building" };

describe("a requested index", () => {
  it("of two jobs, with each message twice → ready, and whole", async () => {
    const memory = withJobs(1, 2);
    await planBuild(request([1, 2]), memory.ports());
    await planBuild(request([1, 2]), memory.ports());
    expect(memory.answers).toEqual([building, building]);
    await memory.workOff();
    const [, , answer, ...repeats] = memory.answers;
    expect(answer).toMatchObject({
      definitionId: "d",
      generation: 1,
      missing: [],
      index: { shards: 1, entries: 40 },
    });
    expect(new Set(repeats.map((repeat) => JSON.stringify(repeat)))).toEqual(
      new Set([JSON.stringify(answer)]),
    );
    const { name } = (answer as { index: { name: string } }).index;
    expect(name).toMatch(/^1-2-[\w-]{16}$/);
    const files = memory.index.get(name);
    if (files === undefined) throw new Error("there are no files");
    const index = await DeduplicationIndex.open(files);
    expect(await index.lookup("http://a.example/219", "d219")).toMatchObject({
      origin: "a.warc.gz,219,20200101000001000",
    });
  });

  it("with a worker that dies at any call, before or after it is done → the same index, and one answer at least", async () => {
    const whole = withJobs(1, 2);
    await planBuild(request([1, 2]), whole.ports());
    await whole.workOff();
    const expected = whole.answers.at(-1);
    const [files] = whole.index.values();
    for (let call = 1; call <= whole.calls; call += 1) {
      for (const isDone of [false, true]) {
        const memory = withJobs(1, 2);
        memory.dieAt = { call, isDone };
        const random = seededRandom(call);
        await planBuild(request([1, 2]), memory.ports()).catch((error) => {
          expect(error).toBe(died);
          return planBuild(request([1, 2]), memory.ports());
        });
        await memory.workOff((count) => Math.floor(random() * count));
        expect(memory.answers.at(-1)).toEqual(expected);
        expect([...memory.index.values()].map((built) => built.files)).toEqual([files?.files]);
      }
    }
  });

  it("a request of the next generation in mid-build → continues it, and both are answered; a later one is answered at once", async () => {
    const memory = withJobs(1);
    await planBuild(request([1]), memory.ports());
    memory.queue.splice(0, 1);
    await planBuild(request([1], { generation: 2 }), memory.ports());
    await memory.workOff();
    const ended = memory.answers.filter((answer) => "index" in answer);
    expect(new Set(ended.map(({ generation }) => generation))).toEqual(new Set([1, 2]));
    memory.answers.length = 0;
    await planBuild(request([1], { generation: 3 }), memory.ports());
    expect(memory.answers).toMatchObject([{ generation: 3, index: { entries: 20 } }]);
    expect(memory.queue).toEqual([]);
  });

  it("other settings or files → another index", async () => {
    const memory = withJobs(1);
    memory.put(1, "crawl.log", logLine(101) + logLine(102, "text/html"));
    await planBuild(request([1]), memory.ports());
    await planBuild(request([1], { includesText: true, generation: 2 }), memory.ports());
    await memory.workOff();
    memory.put(1, "crawl.log", logLine(103));
    await planBuild(request([1], { generation: 3 }), memory.ports());
    await memory.workOff();
    const entries = [...memory.index.values()].map((files) => linesOf(files).flat().length);
    expect(entries).toEqual([1, 2, 1]);
  });

  it("three of four jobs are there → without the fourth, and it is named", async () => {
    const memory = withJobs(1, 2, 3);
    await planBuild(request([1, 2, 3, 9]), memory.ports());
    await memory.workOff();
    expect(memory.answers.at(-1)).toMatchObject({ missing: [9], index: { entries: 60 } });
  });

  it("two of four jobs are there → an error that says why, and nothing is built", async () => {
    const memory = withJobs(1, 2);
    memory.put(9, "crawl.log", logLine(1));
    await planBuild(request([1, 2, 8, 9]), memory.ports());
    expect(memory.answers).toEqual([
      {
        definitionId: "d",
        generation: 1,
        missing: [8, 9],
        error: "2 of 4 jobs are missing, and 70 % must be there; job 8: it has no crawl log",
      },
    ]);
    expect(memory.queue).toEqual([]);
    await planBuild(request([1, 2, 8, 9], { minimumShare: 0.5 }), memory.ports());
    await memory.workOff();
    expect(memory.answers.at(-1)).toMatchObject({ missing: [8, 9], index: { entries: 40 } });
  });

  it.each([
    [0.5, { missing: [2], index: { entries: 20 } }],
    [
      0.7,
      { missing: [2], error: expect.stringContaining("job 2: jobs/2/crawl.log.gz: incorrect header check") },
    ],
  ])("a file that cannot be read, minimum share %d → %j", async (minimumShare, expected) => {
    const memory = withJobs(1, 2);
    memory.put(2, "crawl.log.gz", "no gzip");
    await planBuild(request([1, 2], { minimumShare }), memory.ports());
    await memory.workOff();
    expect(memory.answers.at(-1)).toMatchObject(expected);
  });

  it("the sample of a step → belongs to the build of the sample request", async () => {
    const bodyOf = (name: string) => {
      const sample = readFileSync(join(import.meta.dirname, `../../../../../events/${name}.json`), "utf8");
      return JSON.parse(JSON.parse(sample).Records[0].body);
    };
    const memory = new MemoryBuilds();
    await planBuild(indexRequest.parse(bodyOf("plan-index")), memory.ports());
    expect(memory.queue).toEqual([bodyOf("build-index-part")]);
  });

  it("no jobs → ready and empty", async () => {
    const memory = new MemoryBuilds();
    await planBuild(request([], { indexName: "empty" }), memory.ports());
    await memory.workOff();
    expect(memory.answers.at(-1)).toMatchObject({ missing: [], index: { entries: 0 } });
  });

  it("a step that fails for the last time → who waits is told, and the next generation continues", async () => {
    const memory = withJobs(1);
    await planBuild(request([1]), memory.ports());
    const [part] = memory.queue.splice(0, 1);
    if (part === undefined) throw new Error("nothing was sent");
    await failPart(part, "out of memory", memory.ports());
    expect(memory.answers.at(-1)).toEqual({
      definitionId: "d",
      generation: 1,
      missing: [],
      error: "out of memory",
    });
    await planBuild(request([1], { generation: 2 }), memory.ports());
    await memory.workOff();
    expect(memory.answers.at(-1)).toMatchObject({ generation: 2, index: { entries: 20 } });
    memory.answers.length = 0;
    await failPart(part, "out of memory", memory.ports());
    expect(memory.answers).toEqual([]);
  });
});

describe("inputOfJob", () => {
  const file = (name: string) => ({ name: `jobs/7/${name}`, sizeBytes: 1, version: "1" });
  it.each([
    [
      ["crawl.log", "index.cdxj", "7-1.warc.gz", "capture.jsonl"],
      ["crawl-log", "cdx"],
    ],
    [
      ["uploads/crawl-7.log.gz", "uploads/7.CDX"],
      ["cdx", "crawl-log"],
    ],
    [["uploads/7-metadata-1.warc.gz"], ["metadata"]],
    [
      ["uploads/7-metadata-1.arc", "crawl.log"],
      ["crawl-log", "metadata"],
    ],
    [
      ["uploads/crawl.log", "uploads/cdxdata-7"],
      ["cdx", "crawl-log"],
    ],
  ])("%j → %j", (names, kinds) => {
    const input = inputOfJob(7, names.map(file));
    expect("files" in input && input.files.map(({ kind }) => kind)).toEqual(kinds);
  });

  it.each([
    [[], "it has no crawl log"],
    [["index.cdxj", "7.warc.gz"], "it has no crawl log"],
    [["crawl.log"], "it has no CDX"],
  ])("%j → %s", (names, missing) => {
    expect(inputOfJob(7, names.map(file))).toEqual({ missing });
  });
});
