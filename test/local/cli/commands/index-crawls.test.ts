import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { buildIndex } from "../../../../local/cli/snapshots/index/build-index.ts";
import { folderPorts } from "../../../../local/cli/snapshots/index/index-folder.ts";
import { divideInput } from "../../../../shared/snapshots/index/build/divide-input.ts";
import { planIndex } from "../../../../shared/snapshots/index/build/index-plan.ts";
import { openCorpus } from "../../../corpus.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { cdxLine, logLine, writeJob } from "./crawl-files.ts";
import { jsonLines, runCommand } from "./run-command.ts";

describe("index and lookup", () => {
  it("a job → its captures are found, one by one and as a list", async () => {
    const folder = temporaryFolder();
    const { log, cdx } = writeJob(folder, "one", 300);
    const out = join(folder, "index");
    const built = await runCommand(["index", "--job", "1", "--crawl-log", log, "--cdx", cdx, "--out", out]);
    expect(built).toMatchObject({
      code: 0,
      stdout: `job 1: 300 indexed, 0 not stored, 0 texts left out\n300 entries in ${out}\n`,
    });
    const found = "http://a.example/7 D7 20200101000000000 a.warc.gz,7,20200101000001000";
    expect(await runCommand(["lookup", out, "http://a.example/7", "sha1:d7"])).toMatchObject({
      code: 0,
      stdout: `${found}\n`,
    });
    expect(await runCommand(["lookup", out, "http://a.example/7", "D8"])).toMatchObject({
      code: 1,
      stdout: "",
    });
    expect(built.stderr).toBe("");
    const stdin = "http://a.example/7 D7\nhttp://b.example/ D7\n";
    expect(await runCommand(["lookup", out, "-"], { stdin })).toMatchObject({
      code: 0,
      stdout: `${found}\n-\n`,
    });
  });

  it("several threads → the same index; a file that one cannot read → exit code 1 and the reason", async () => {
    const folder = temporaryFolder();
    const { log, cdx } = writeJob(folder, "one", 300);
    const args = ["index", "--job", "1", "--crawl-log", log, "--cdx", cdx, "--shards", "5"];
    const build = (out: string, ...more: string[]) =>
      runCommand([...args, "--out", join(folder, out), ...more]);
    await build("here");
    expect(await build("threads", "--threads", "3")).toMatchObject({ code: 0 });
    for (const name of readdirSync(join(folder, "here")))
      expect(readFileSync(join(folder, "threads", name))).toEqual(readFileSync(join(folder, "here", name)));
    writeFileSync(join(folder, "cut.gz"), gzipSync(readFileSync(log)).subarray(0, 200));
    expect(await build("cut", "--threads", "2", "--crawl-log", join(folder, "cut.gz"))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("cut.gz: unexpected end of file"),
    });
  });

  it("compressed files, texts on demand, lines that are left out → counted by reason", async () => {
    const folder = temporaryFolder();
    const log = join(folder, "crawl.log.gz");
    const cdx = join(folder, "a.cdx");
    const page = "http://a.example/";
    writeFileSync(
      log,
      gzipSync(`${logLine(page, "P", { mime: "Text/HTML" })}short\n${logLine("http://b.example/", "B")}`),
    );
    writeFileSync(cdx, `${cdxLine(page, 1)}${page} x\n`);
    const args = ["index", "--job", "1", "--crawl-log", log, "--cdx", cdx, "--json"];
    const reports = async (...more: string[]) =>
      jsonLines((await runCommand([...args, "--out", join(folder, `out${more.length}`), ...more])).stdout);
    expect(await reports()).toMatchObject([
      {
        indexed: 0,
        text: 1,
        withoutOrigin: 1,
        skippedLogLines: { "too short": 1 },
        skippedCdxLines: { "too few fields": 1 },
      },
      { type: "summary", entries: 0 },
    ]);
    expect(await reports("--include-text")).toMatchObject([{ indexed: 1, text: 0 }, { entries: 1 }]);
  });

  it.each([
    ["no job", ["index", "--out", "x"], "--job"],
    ["a file before its job", ["index", "--cdx", "x", "--job", "1", "--out", "x"], "must follow the --job"],
    [
      "a file that is not there",
      ["index", "--job", "1", "--cdx", "/nowhere", "--out", "x"],
      "does not exist",
    ],
    [
      "a folder in place of a file",
      ["index", "--job", "1", "--cdx", "/tmp", "--out", "x"],
      "is a folder, not a file",
    ],
    [
      "a job without files",
      ["index", "--job", "1", "--out", "x"],
      '--job: has no file; add --crawl-log, --cdx or --metadata after it (got "1")',
    ],
    ["a job twice", ["index", "--job", "1", "--job", "1", "--out", "x"], "is given twice"],
    ["no folder", ["index", "--job", "1"], "--out"],
    ["no shards", ["index", "--job", "1", "--out", "x", "--shards", "0"], "--shards"],
    ["too many threads", ["index", "--job", "1", "--out", "x", "--threads", "257"], "--threads"],
    ["an unknown option", ["index", "--jobs", "1"], "--jobs"],
    ["no index", ["lookup", "/nowhere", "http://a.example/", "D"], "index.json is missing"],
    ["no digest", ["lookup", "/nowhere", "http://a.example/"], "are required"],
  ])("%s → exit code 2 and the reason", async (_title, args, problem) => {
    const { code, stderr } = await runCommand(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
  });

  it.each([
    ["no crawl log", "--cdx", "job 2 is not in the index: it has no crawl log\n"],
    ["no CDX", "--crawl-log", "job 2 is not in the index: it has no CDX\n"],
  ])("a job that has %s → missing, and the other is indexed", async (_title, option, stderr) => {
    const folder = temporaryFolder();
    const { log, cdx } = writeJob(folder, "one", 3);
    const file = option === "--cdx" ? cdx : log;
    const jobs = ["--job", "1", "--crawl-log", log, "--cdx", cdx, "--job", "2", option, file];
    expect(await runCommand(["index", ...jobs, "--out", join(folder, "index")])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("job 1: 3 indexed"),
      stderr,
    });
  });

  it.each([
    ["an empty file", "e.warc.gz", "", "unexpected end of file"],
    ["a page", "e.warc.gz", "<html>404</html>", "incorrect header check"],
    ["a page", "e.warc", "<html>404</html>", "it is neither ARC nor WARC"],
    ["a page", "e.log.gz", "<html>404</html>", "incorrect header check"],
  ])(
    "a job with %s as %s → missing with its reason, and the others are indexed",
    async (_what, name, content, why) => {
      const folder = temporaryFolder();
      const { log, cdx } = writeJob(folder, "one", 3);
      const file = join(folder, name);
      writeFileSync(file, content);
      const option = name.includes("warc") ? "--metadata" : "--crawl-log";
      const jobs = ["--job", "A", "--crawl-log", log, "--cdx", cdx, "--job", "B", option, file];
      const out = join(folder, "index");
      const built = await runCommand(["index", ...jobs, "--out", out, "--json"]);
      expect(built).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("job B is not in the index: "),
      });
      expect(jsonLines(built.stdout)).toMatchObject([
        { type: "job", jobId: "A", indexed: 3 },
        {
          entries: 3,
          jobs: 1,
          missing: [{ jobId: "B", reason: expect.stringContaining(`${name}: ${why}`) }],
        },
      ]);
      expect(await runCommand(["lookup", out, "http://a.example/1", "D1"])).toMatchObject({ code: 0 });
    },
  );

  it("a file that cannot be opened → its job is missing", async () => {
    const folder = temporaryFolder();
    const plan = planIndex(
      [{ jobId: "1", files: [{ name: join(folder, "gone"), kind: "cdx", sizeBytes: 1, version: "" }] }],
      { includesText: false, divisionBytes: 100 },
    );
    const outcome = await divideInput(plan, 0, folderPorts(folder, join(folder, "building")));
    expect(outcome).toMatchObject({ type: "unreadable", reason: expect.stringContaining("ENOENT") });
  });

  it("a crawl log without CDX that names originals → indexed, with a note of what cannot be", async () => {
    const folder = temporaryFolder();
    const log = join(folder, "crawl.log");
    const named = logLine("http://a.example/", "D").replace(/\n$/, "");
    writeFileSync(log, `${named.replace(/[^ ]*$/, 'duplicate:"x.warc.gz,7,20200101000000000"')}\n`);
    const args = ["index", "--job", "1", "--crawl-log", log, "--out", join(folder, "index")];
    expect(await runCommand(args)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("job 1: 1 indexed"),
      stderr:
        "job 1 has no CDX, so only captures whose line in the crawl log names their original are indexed\n",
    });
  });

  it("no entry of files that have lines → exit code 1", async () => {
    const folder = temporaryFolder();
    const { log } = writeJob(folder, "one", 3);
    const cdx = join(folder, "other.cdx");
    writeFileSync(cdx, cdxLine("http://b.example/", 1));
    const args = ["index", "--job", "1", "--crawl-log", log, "--cdx", cdx, "--out", join(folder, "index")];
    expect(await runCommand(args)).toMatchObject({
      code: 1,
      stderr: "The index has no entries, because no usable capture was found\n",
    });
  });

  it.each([
    ["a block", /\.blocks\.gz$/, /^a block of shard-0000.blocks.gz is damaged: /],
    ["the keys", /\.keys$/, /^the deduplication index lacks shard-0000.keys\n$/],
  ])("an index that lost %s → exit code 2 and the reason, not an answer", async (_title, lost, problem) => {
    const folder = temporaryFolder();
    const { log, cdx } = writeJob(folder, "one", 3);
    const out = join(folder, "index");
    await runCommand(["index", "--job", "1", "--crawl-log", log, "--cdx", cdx, "--out", out]);
    const [name = ""] = readdirSync(out).filter((each) => lost.test(each));
    if (name.endsWith(".keys")) rmSync(join(out, name));
    else writeFileSync(join(out, name), "x".repeat(500));
    const [one, list] = [
      await runCommand(["lookup", out, "http://a.example/1", "D1"]),
      await runCommand(["lookup", out, "-"], { stdin: "http://a.example/1 D1\n" }),
    ];
    for (const answer of [one, list])
      expect(answer).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(problem) });
  });

  it("an invalid metadata file → exit code 1 and the reason", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "x.warc");
    writeFileSync(file, "hello\n");
    const { code, stderr } = await runCommand([
      "index",
      "--job",
      "1",
      "--metadata",
      file,
      "--out",
      join(folder, "out"),
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("neither ARC nor WARC") });
  });

  it("stopped in mid-build → no index yet; the next build continues, and leaves nothing behind", async () => {
    const folder = temporaryFolder();
    const { log, cdx } = writeJob(folder, "one", 500);
    const out = join(folder, "index");
    const jobs = [{ jobId: "1", files: { "crawl-log": [log], cdx: [cdx], metadata: [] } }];
    const options = { jobs, folder: out, shards: 8, includesText: false };
    const stop = new Error("stopped");
    const onProgress = (done: object) => {
      if ("shardsBuilt" in done && done.shardsBuilt === 3) throw stop;
    };
    await expect(buildIndex({ ...options, onProgress })).rejects.toThrow(stop);
    expect((await runCommand(["lookup", out, "http://a.example/1", "D1"])).code).toBe(2);
    const built: number[] = [];
    rmSync(join(out, "shard-0000.keys"));
    const { entries } = await buildIndex({
      ...options,
      onProgress: (done) => "shardsBuilt" in done && built.push(done.shardsBuilt),
    });
    expect(entries).toBe(500);
    // What was built before is not built again.
    expect(existsSync(join(out, "shard-0000.keys"))).toBe(false);
    expect(readdirSync(out).filter((name) => name.startsWith("building"))).toEqual([]);
  });
});

const corpus = openCorpus("crawllogs");

/** Of nas_Reader1.cdx and nas_crawl-1.log, with which a job of another file is whole. */
const [linesOfCdx, linesOfLog] = [146, 30];

describe.skipIf(corpus.isAbsent)("logs of NetarchiveSuite (skipped where the corpus is absent)", () => {
  const build = async (...args: string[]) => {
    const { stdout } = await runCommand(["index", ...args, "--out", temporaryFolder(), "--json"]);
    return jsonLines(stdout);
  };
  const job = (id: string) => [
    ...["--job", id],
    ...["--crawl-log", corpus.path(`nas_crawl-${id}.log`)],
    ...["--cdx", corpus.path(`nas_cdxdata-${id}`)],
  ];

  it("jobs 1 and 4 → 8 and 9, 17 together", async () => {
    expect(await build(...job("1"), ...job("4"))).toMatchObject([
      { indexed: 8 },
      { indexed: 9 },
      { entries: 17 },
    ]);
  });

  it.each([
    ["1", { indexed: 23, withoutOrigin: 0, skippedLogLines: { "no digest": 7 } }, 23],
    // A lookup of a name, and four pages.
    ["4", { indexed: 13, withoutOrigin: 5 }, 13],
    ["680", { indexed: 87 }, 87],
    // One URL was fetched twice, with the same content.
    ["9", { indexed: 219, withoutOrigin: 0 }, 218],
  ])("job %s with texts → all that is stored", async (id, report, entries) => {
    expect(await build(...job(id), "--include-text")).toMatchObject([report, { entries }]);
  });

  it("jobs 680 and 9, with two CDX lines for some URLs → 51 and 122", async () => {
    expect(await build(...job("680"), ...job("9"))).toMatchObject([{ indexed: 51 }, { indexed: 122 }, {}]);
  });

  it("metadata ARC and WARC → the crawl logs and CDXs in them", async () => {
    const metadata = (id: string, file: string) => ["--job", id, "--metadata", corpus.path(file)];
    const reports = await build(
      ...metadata("1", "nas_1-metadata-1.warc"),
      ...metadata("2", "nas_2-metadata-1.warc"),
      ...metadata("30", "nas_30-metadata-4.arc"),
    );
    expect(reports).toMatchObject([{ indexed: 120 }, { indexed: 81 }, { indexed: 7 }, { entries: 130 }]);
  });

  it.each([
    ["1", 30, 23, { "no digest": 7 }],
    ["4", 18, 18, {}],
    ["42", 157, 157, {}],
    ["680", 88, 87, { "too few fields": 1 }],
    ["9", 219, 219, {}],
    ["long", 2, 2, {}],
    ["h3", 107, 105, { "no digest": 2 }],
    ["idna", 1548, 409, { "too few fields": 1, "no digest": 1138 }],
    ["invalid", 4, 3, { "too few fields": 1 }],
    ["oldjob4", 48, 11, { "no digest": 37 }],
    ["oldjob5", 743, 310, { "no digest": 433 }],
    ["stop-reason", 5, 3, { "no digest": 2 }],
  ])(
    "crawl log %s → %i lines, %i fetched URLs, the others by reason",
    async (name, lines, fetched, skippedLogLines) => {
      const file = [`crawl-${name}`, `${name}_crawl`, `${name}-crawl`]
        .map((form) => corpus.path(`nas_${form}.log`))
        .find((path) => existsSync(path));
      const [report] = await build(
        ...["--job", "1", "--crawl-log", file ?? "", "--include-text"],
        ...["--cdx", corpus.path("nas_Reader1.cdx")],
      );
      expect(report).toMatchObject({ lines: lines + linesOfCdx, skippedLogLines });
      expect(report.indexed + report.withoutOrigin).toBe(fetched);
    },
  );

  it.each([
    ["nas_Reader1.cdx", 146, {}],
    ["nas_Reader4.cdx", 1, {}],
    ["nas_cdxdata-1", 30, {}],
    ["nas_cdxdata-4", 13, {}],
    ["nas_cdxdata-9", 98, {}],
    ["nas_cdxdata-680", 90, { "too few fields": 2 }],
    ["nas_jobs-2-4-70.cdx", 252, {}],
  ])("%s → %i lines, skipped by reason", async (name, lines, skippedCdxLines) => {
    const files = ["--crawl-log", corpus.path("nas_crawl-1.log"), "--cdx", corpus.path(name)];
    expect((await build("--job", "1", ...files))[0]).toMatchObject({
      lines: lines + linesOfLog,
      skippedCdxLines,
    });
  });

  it("a CDX of another format, with the URL's key first → its job is missing, with the reasons", async () => {
    const args = [
      ...["--job", "1", "--crawl-log", corpus.path("nas_crawl-1.log"), "--include-text"],
      ...["--cdx", corpus.path("nas_warc.cdx"), "--out", temporaryFolder()],
    ];
    expect(await runCommand(["index", ...args])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no line of its CDX is usable \((?=.*39: no offset)(?=.*2: no length)/),
    });
  });

  it.each([
    ["680", "1-1-20071206233504-00000-dhcppc1.arc,10204,20071206233508000"],
    ["9", "9-2-20071227125128-00000-kb-test-har-002.kb.dk.arc,9167,20071227125134000"],
  ])("job %s, two CDX lines of a URL → the origin of the later one", async (id, origin) => {
    const out = temporaryFolder();
    await runCommand(["index", ...job(id), "--include-text", "--out", out]);
    const page = ["http://www.kaarefc.dk/private/", "DXKSKEFK6DAYZ6W6TPXYERUAFFB3IT6I"];
    expect(await runCommand(["lookup", out, ...page])).toMatchObject({
      stdout: expect.stringMatching(new RegExp(` ${origin}\n$`)),
    });
  });

  it("an annotation of an old version → its origin as it is", async () => {
    const out = temporaryFolder();
    await runCommand(["index", ...job("4"), "--include-text", "--out", out]);
    const robots = ["http://purl.org/robots.txt", "TKVAV2AQOUWH6ET7C53B3J7O2MU5IDXI"];
    expect(await runCommand(["lookup", out, ...robots])).toMatchObject({
      stdout: `${robots.join(" ")} 20050506114810000 check-arc,43\n`,
    });
  });
});
