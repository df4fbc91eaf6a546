import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { endIndex } from "../../../../shared/snapshots/index/build/build-steps.ts";
import { DeduplicationIndex } from "../../../../shared/snapshots/index/deduplication-index.ts";
import { ByteView } from "../../../../shared/snapshots/index/lines/byte-view.ts";
import { hashUrl } from "../../../../shared/snapshots/index/lines/url-hash.ts";
import { buildInMemory, type JobText, linesOf } from "./build/memory-build.ts";

const url = "http://a.example/";

const logLine = ({
  at = url,
  digest = "sha1:D",
  mime = "image/gif",
  date = "20200101000000123",
  origin = "",
} = {}) =>
  `2020-01-01T00:00:00.000Z 200 10 ${at} L http://via.example/ ${mime} #001 ${date}+4 ${digest} - ${origin === "" ? "-" : `duplicate:"${origin}"`}\n`;
const cdxLine = ({ at = url, date = "20200101000001", offset = "7" } = {}) =>
  `${at} 1.2.3.4 ${date} image/gif 10 a.warc.gz ${offset}\n`;

describe("a build", () => {
  it.each<[string, JobText[], string[]]>([
    [
      "a stored capture → its place",
      [{ log: logLine(), cdx: cdxLine() }],
      [`${url} D 20200101000000000 a.warc.gz,7,20200101000001000`],
    ],
    [
      "two captures of a URL → the later one, in any order",
      [{ log: logLine(), cdx: cdxLine({ date: "20200101000002", offset: "9" }) + cdxLine() }],
      [`${url} D 20200101000000000 a.warc.gz,9,20200101000002000`],
    ],
    ["no capture → left out", [{ log: logLine(), cdx: cdxLine({ at: `${url}x` }) }], []],
    [
      "a capture of another job → left out",
      [
        { log: logLine(), cdx: cdxLine({ at: `${url}x` }) },
        { log: logLine({ at: `${url}y` }), cdx: cdxLine() },
      ],
      [],
    ],
    [
      "a duplicate → the origin that it names",
      [{ log: logLine({ origin: "b.arc,1" }), cdx: cdxLine() }],
      [`${url} D 20200101000000000 b.arc,1`],
    ],
    [
      "a duplicate with the date of its original → that date",
      [{ log: logLine({ origin: "b.arc,1,20190101000000000" }) }],
      [`${url} D 20190101000000000 b.arc,1,20190101000000000`],
    ],
    [
      "the same content in two jobs → the original, whichever job comes first",
      [
        { log: logLine({ date: "20210101000000", digest: "sha1:d", origin: "a.warc.gz,7" }) },
        { log: logLine(), cdx: cdxLine() },
        { log: logLine({ date: "20220101000000", origin: "a.warc.gz,7" }) },
      ],
      [`${url} D 20200101000000000 a.warc.gz,7,20200101000001000`],
    ],
    [
      "other contents of a URL → by date, then by digest",
      [
        { log: logLine({ digest: "E", date: "20210101000000" }) + logLine({ digest: "F" }), cdx: cdxLine() },
        { log: logLine(), cdx: cdxLine() },
      ],
      ["D 20200101000000000", "F 20200101000000000", "E 20210101000000000"].map(
        (content) => `${url} ${content} a.warc.gz,7,20200101000001000`,
      ),
    ],
  ])("%s", async (_title, jobs, expected) => {
    const { index, manifest } = await buildInMemory(jobs);
    expect(linesOf(index).flat()).toEqual(expected);
    expect(manifest.entries).toBe(expected.length);
  });

  const many = Array.from({ length: 700 }, (_, n) => ({
    at: `http://h${n % 9}.example/${"x".repeat(n % 11)}/${n >> 1}?ü${n % 3 === 0 ? "\u{1F600}" : ""}`,
    digest: `sha1:DIGEST${n % 2}`,
    offset: String(n >> 1),
  }));
  const log = many.map(logLine).join("");
  const cdx = many.map(cdxLine).join("");

  it("any number of shards and divisions, compressed or not → the same entries, in the order of their URLs' bytes", async () => {
    const one = await buildInMemory([{ log, cdx }], { shards: 1, divisionBytes: 1e6 });
    const [all = []] = linesOf(one.index);
    expect(all).toHaveLength(many.length);
    const urls = all.map((line) => Buffer.from(line.split(" ")[0] ?? ""));
    expect(urls).toEqual(urls.toSorted(Buffer.compare));
    for (const [shards, divisionBytes] of [
      [1, 999],
      [2, 4000],
      [7, 30_000],
      [64, 5e4],
    ] as const) {
      const { index, plan, jobs } = await buildInMemory([{ log, cdx }], { shards, divisionBytes });
      expect(plan.divisions.length).toBeGreaterThan(2);
      expect(linesOf(index)).toHaveLength(shards);
      expect(linesOf(index).flat().sort()).toEqual(all.toSorted());
      expect(jobs).toMatchObject([{ lines: 1400, indexed: 700 }]);
    }
    const zipped = { log: gzipSync(log), cdx: gzipSync(cdx) };
    expect(linesOf((await buildInMemory([zipped], { shards: 1, endings: ".gz" })).index)).toEqual([all]);
  });

  // One byte and upwards: ranges without content, before the first line, and in one member of several.
  it.each([1, 501, 1e6])(
    "a compressed file in ranges of %i bytes → each line once, in whatever chunks it comes",
    async (compressedDivisionBytes) => {
      // Each range has a decompressor of its own.
      const captures = compressedDivisionBytes < 64 ? many.slice(0, 12) : many;
      const [log, cdx] = [captures.map(logLine).join(""), captures.map(cdxLine).join("")];
      const one = await buildInMemory([{ log, cdx }], { shards: 1, divisionBytes: 1e6 });
      const half = log.indexOf("\n", log.length / 2) - 5;
      // Stored blocks keep the bytes apart; several members are one content.
      const zipped = {
        log: Buffer.concat([gzipSync(log.slice(0, half)), gzipSync(log.slice(half), { level: 1 })]),
        cdx: gzipSync(cdx, { level: compressedDivisionBytes === 3000 ? 0 : 9 }),
      };
      for (const chunkBytes of [61, 4099]) {
        const { index, jobs, plan } = await buildInMemory([zipped], {
          shards: 1,
          endings: ".gz",
          compressedDivisionBytes,
          chunkBytes,
        });
        expect(plan.divisions.length > 2).toBe(compressedDivisionBytes < 1e6);
        expect(jobs).toMatchObject([
          { lines: 2 * captures.length, indexed: captures.length, withoutOrigin: 0 },
        ]);
        expect(linesOf(index)).toEqual(linesOf(one.index));
      }
    },
  );

  const elevenColumns = many.map(
    ({ at, offset }, n) =>
      `${at.length},key${n} 20200101000001 ${at} image/gif 200 D - - 9 ${offset} a.warc.gz\n`,
  );
  it.each([["", {}] as const, [".gz", { compressedDivisionBytes: 501 }] as const])(
    "a CDX with a header in ranges%s → its columns in each range",
    async (endings, ranges) => {
      const pack = (text: string) => (endings === "" ? Buffer.from(text) : gzipSync(text));
      const withHeader = ` CDX N b a m s k r M S V g\n${elevenColumns.join("")}`;
      const own = await buildInMemory([{ log, cdx }], { shards: 1 });
      const other = await buildInMemory([{ log: pack(log), cdx: pack(withHeader) }], {
        shards: 1,
        endings,
        ...ranges,
      });
      expect(other.plan.divisions.length).toBeGreaterThan(10);
      expect(linesOf(other.index)).toEqual(linesOf(own.index));
      expect(other.jobs).toMatchObject([{ skippedCdxLines: {} }]);
    },
  );

  it("a compressed file in ranges that is cut off → its job is missing", async () => {
    const cut = { log: gzipSync(log).subarray(0, 500), cdx: gzipSync(cdx) };
    const options = { endings: ".gz", compressedDivisionBytes: 100 };
    const { missing } = await buildInMemory([cut], options);
    expect(missing).toEqual([{ jobId: "1", reason: "1.log.gz: unexpected end of file" }]);
  });

  it("reports of shards from an earlier version → counted as well", async () => {
    const { plan, work, index, jobs, manifest } = await buildInMemory([
      { log, cdx },
      { log, cdx },
    ]);
    for (const [name, content] of work.files) {
      if (!name.startsWith("shard-")) continue;
      const { entries, indexed, withoutOrigin } = JSON.parse(String(content));
      const counts = indexed.map((count: number, job: number) => ({
        indexed: count,
        withoutOrigin: withoutOrigin[job],
      }));
      work.files.set(name, Buffer.from(JSON.stringify({ entries, jobs: counts })));
    }
    const ports = { work, index, input: () => expect.fail("nothing is read") };
    expect(await endIndex(plan, ports)).toEqual({ manifest, jobs, missing: [] });
  });

  it("a file whose records take several runs → the same entries; in other chunks → the same runs", async () => {
    const zipped = { log: gzipSync(log), cdx: gzipSync(cdx) };
    const options = { shards: 2, endings: ".gz" };
    const one = await buildInMemory([zipped], options);
    const several = await buildInMemory([zipped], { ...options, runBytes: 5000 });
    expect(several.index.files).toEqual(one.index.files);
    expect([...several.work.files.keys()].filter((name) => name.startsWith("run-")).length).toBeGreaterThan(
      10,
    );
    const otherwise = await buildInMemory([zipped], { ...options, runBytes: 5000, chunkBytes: 1009 });
    expect(otherwise.work.files).toEqual(several.work.files);
  });

  it("a compressed file that is cut off → its job is missing, and the others are there", async () => {
    const cut = { log: gzipSync(log).subarray(0, 500), cdx: gzipSync(cdx) };
    const whole = { log: gzipSync(logLine()), cdx: gzipSync(cdxLine()) };
    const { index, manifest, missing, jobs } = await buildInMemory([cut, whole], { endings: ".gz" });
    expect(missing).toEqual([{ jobId: "1", reason: "1.log.gz: unexpected end of file" }]);
    expect(manifest).toMatchObject({ jobs: ["2"], entries: 1 });
    expect(jobs).toMatchObject([{ jobId: "2", indexed: 1 }]);
    expect(linesOf(index).flat()).toHaveLength(1);
  });

  const page = "<html><body>Not found</body></html>\n";
  it.each<[string, JobText, string]>([
    ["an empty crawl log", { log: "", cdx: cdxLine() }, "no line of its crawl log is usable: it has none"],
    [
      "a web page as a crawl log",
      { log: page, cdx: cdxLine() },
      "no line of its crawl log is usable (1: too short)",
    ],
    [
      "a crawl log without a fetched URL",
      { log: logLine({ digest: "-" }), cdx: cdxLine() },
      "no line of its crawl log is usable (1: no digest)",
    ],
    ["an empty CDX", { log: logLine(), cdx: "" }, "no line of its CDX is usable: it has none"],
    [
      "a web page as a CDX",
      { log: logLine(), cdx: page },
      "no line of its CDX is usable (1: too few fields)",
    ],
    ["a crawl log without a CDX", { log: logLine() }, "it has no CDX"],
    ["a CDX without a crawl log", { cdx: cdxLine() }, "it has no crawl log"],
    [
      "an empty metadata file",
      { metadata: Buffer.alloc(0) },
      "no line of its crawl log is usable: it has none",
    ],
    [
      "a web page as a metadata file",
      { metadata: Buffer.from(page) },
      "1.metadata: it is neither ARC nor WARC: <html><body>Not found</body></html>",
    ],
    [
      "a CDX whose header names no file",
      { log: logLine(), cdx: ` CDX N b a V\n${cdxLine()}` },
      "no line of its CDX is usable (1: unknown columns)",
    ],
  ])("%s → its job is missing, not indexed", async (_, job, reason) => {
    const { manifest, missing, jobs } = await buildInMemory([job, { log: logLine(), cdx: cdxLine() }]);
    expect(missing).toEqual([{ jobId: "1", reason }]);
    expect([manifest.jobs, jobs.map(({ jobId }) => jobId)]).toEqual([["2"], ["2"]]);
  });

  it.each<[string, JobText]>([
    ["duplicates alone, and an empty CDX", { log: logLine({ origin: "b.arc,1" }), cdx: "" }],
    ["text alone, which is left out", { log: logLine({ mime: "text/html" }), cdx: "" }],
    ["captures that its CDX lacks", { log: logLine(), cdx: cdxLine({ at: `${url}x` }) }],
  ])("%s → its job is indexed", async (_, job) => {
    const { manifest, missing } = await buildInMemory([job]);
    expect([manifest.jobs, missing]).toEqual([["1"], []]);
  });

  it("an archive that is none → its job is missing", async () => {
    const { missing } = await buildInMemory([{ metadata: Buffer.from("hello\n") }]);
    expect(missing).toEqual([{ jobId: "1", reason: "1.metadata: it is neither ARC nor WARC: hello" }]);
  });
});

describe("DeduplicationIndex", () => {
  const entries = Array.from({ length: 4000 }, (_, n) => ({
    at: `http://h${n % 50}.example/${"x".repeat(n % 90)}/${Math.floor(n / 4)}?ü`,
    digest: `DIGEST${n}`,
    date: `2020010100000${n % 10}`,
    origin: `f.warc.gz,${n},20200101000000${String(n % 1000).padStart(3, "0")}`,
  }));
  const built = buildInMemory([{ log: entries.map(logLine).join("") }], { shards: 4, divisionBytes: 1e6 });

  it("each of 4,000 entries → found, with its own date and origin", async () => {
    const index = await DeduplicationIndex.open((await built).index);
    for (const { at, digest, origin } of entries) {
      const date = origin.split(",")[2];
      expect(await index.lookup(at, digest.toLowerCase())).toEqual({ url: at, digest, date, origin });
    }
  });

  it.each([
    ["SHA-1 in base 32", "N5CYWE4OLG4ND7VCVWUOX5SVFZTDKLYO"],
    ["all bits of 20 bytes", "7".repeat(32)],
    ["no bit of them", "A".repeat(32)],
    ["lower case → as it was", "n5cywe4olg4nd7vcvwuox5svfztdklyo"],
    ["a character that base 32 has not", "N5CYWE4OLG4ND7VCVWUOX5SVFZTDKLY0"],
    ["hexadecimal", "da39a3ee5e6b4b0d3255bfef95601890afd80709"],
    ["an MD5, as long as a SHA-1 in base 32", "d41d8cd98f00b204e9800998ecf8427e"],
    ["beyond ASCII", `${"é".repeat(15)}AB`],
    ["none", ""],
  ])("a digest, amid others, packed or not: %s", async (_title, digest) => {
    const around = ["N5CYWE4OLG4ND7VCVWUOX5SVFZTDKLYP", "SHORT", "B".repeat(32)];
    const log = [...around, digest, ...around]
      .map((one, n) => logLine({ at: `${url}${n}`, digest: `sha1:${one}`, origin: `a b\t,${n}` }))
      .join("");
    const { index } = await buildInMemory([{ log }], { shards: 1, divisionBytes: 1e6 });
    const opened = await DeduplicationIndex.open(index);
    for (const [n, one] of [...around, digest, ...around].entries()) {
      const entry = await opened.lookup(`${url}${n}`, one);
      expect(entry).toMatchObject({ digest: one, origin: `a b\t,${n}` });
    }
  });

  it("another digest, a URL before the first, after the last or in between → nothing", async () => {
    const index = await DeduplicationIndex.open((await built).index);
    const known = entries[0]?.at ?? "";
    for (const at of [known, "a:", "zz:", `${known}!`, known.slice(0, -1), known.slice(1)])
      expect(await index.lookup(at, "OTHER")).toBeUndefined();
    expect(await index.lookup(known.slice(1), "DIGEST0")).toBeUndefined();
  });

  it("a lookup → the keys of the shard at the first time, and one block", async () => {
    const files = (await built).index;
    const index = await DeduplicationIndex.open(files);
    const [{ at, digest }] = entries as [(typeof entries)[0]];
    files.reads.length = 0;
    await index.lookup(at, digest);
    expect(files.reads).toHaveLength(2);
    await index.lookup(at, digest);
    expect(files.reads).toHaveLength(3);
  });

  it("keys that cannot be read → read again at the next lookup", async () => {
    const files = (await built).index;
    const index = await DeduplicationIndex.open({
      read: async (name) => {
        files.reads.push(name);
        if (files.reads.length === 2) throw new Error("no network");
        return files.files.get(name);
      },
      readRange: (name, range) => files.readRange(name, range),
    });
    const [{ at, digest }] = entries as [(typeof entries)[0]];
    files.reads.length = 1;
    await expect(index.lookup(at, digest)).rejects.toThrow("no network");
    expect(await index.lookup(at, digest)).toMatchObject({ digest });
  });

  it("a file that is missing or damaged → named", async () => {
    const files = (await built).index;
    const [{ at, digest }] = entries as [(typeof entries)[0]];
    const { manifest } = await built;
    const damaged = { read: files.read.bind(files), readRange: async () => Buffer.from("no gzip") };
    const lookup = (read: typeof damaged) => new DeduplicationIndex(read, manifest).lookup(at, digest);
    await expect(lookup(damaged)).rejects.toThrow(
      /^a block of shard-000\d.blocks.gz is damaged: incorrect header/,
    );
    await expect(lookup({ ...damaged, read: async () => undefined as never })).rejects.toThrow(
      /^the deduplication index lacks shard-000\d.keys$/,
    );
  });

  it("an empty index → nothing, without a read", async () => {
    const { index: files } = await buildInMemory([]);
    const index = await DeduplicationIndex.open(files);
    files.reads.length = 0;
    expect(await index.lookup(url, "D")).toBeUndefined();
    expect(files.reads).toEqual([]);
  });

  it("no manifest → said so", async () => {
    const files = { read: async () => undefined, readRange: async () => new Uint8Array() };
    await expect(DeduplicationIndex.open(files)).rejects.toThrow("index.json is missing");
  });
});

// A URL's shard is part of the format of an index: it never changes.
it.each([
  ["", 0],
  ["test", 0xba6bd213],
  ["Hello, world!", 0xc0363e43],
  ["The quick brown fox jumps over the lazy dog", 0x2e4ff723],
])("hashUrl(%j) → as published for MurmurHash3", (text, hash) => {
  const amid = new ByteView(Buffer.from(`${text}x`));
  expect(hashUrl(amid, 0, text.length)).toBe(hash);
});
