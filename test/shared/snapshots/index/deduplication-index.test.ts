import { describe, expect, it } from "vitest";
import { DeduplicationIndex } from "../../../../shared/snapshots/index/deduplication-index.ts";
import {
  type BlockKey,
  blocksName,
  formatKeys,
  keysName,
  manifestName,
  packBlocks,
  shardOf,
} from "../../../../shared/snapshots/index/index-files.ts";
import { CaptureJoin, type IndexEntry } from "../../../../shared/snapshots/index/join-captures.ts";

describe("CaptureJoin", () => {
  const url = "http://a.example/";
  const crawled = { url, digest: "D", mime: "image/gif", date: "20200101000000000" };
  const stored = { url, date: "20200101000001", file: "a.warc.gz", offset: "7" };

  it.each<[string, Parameters<CaptureJoin["add"]>[0][], Partial<IndexEntry>[]]>([
    [
      "a stored capture → its place",
      [{ crawled: [crawled], stored: [stored] }],
      [{ origin: "a.warc.gz,7,20200101000001000" }],
    ],
    [
      "two captures of a URL → the later one",
      [{ crawled: [crawled], stored: [{ ...stored, date: "20200101000002", offset: "9" }, stored] }],
      [{ origin: "a.warc.gz,9,20200101000002000" }],
    ],
    ["no capture → left out", [{ crawled: [crawled], stored: [] }], []],
    [
      "a duplicate → the origin that it names",
      [{ crawled: [{ ...crawled, duplicateOf: "b.arc,1" }], stored: [stored] }],
      [{ origin: "b.arc,1", date: "20200101000000000" }],
    ],
    [
      "a duplicate with the date of its original → that date",
      [{ crawled: [{ ...crawled, duplicateOf: "b.arc,1,20190101000000000" }], stored: [] }],
      [{ date: "20190101000000000" }],
    ],
    [
      "the same content in two jobs → the original, whichever job comes first",
      [
        {
          crawled: [{ ...crawled, date: "20210101000000000", digest: "d", duplicateOf: "a.warc.gz,7" }],
          stored: [],
        },
        { crawled: [crawled], stored: [stored] },
      ],
      [{ date: "20200101000000000", digest: "D", origin: "a.warc.gz,7,20200101000001000" }],
    ],
    [
      "other contents of a URL → by date",
      [
        { crawled: [{ ...crawled, digest: "E", date: "20210101000000000" }], stored: [stored] },
        { crawled: [crawled], stored: [stored] },
      ],
      [{ digest: "D" }, { digest: "E" }],
    ],
  ])("%s", (_title, jobs, expected) => {
    const join = new CaptureJoin();
    for (const job of jobs) join.add(job);
    expect(join.sorted()).toMatchObject(expected);
    expect(join.sorted()).toHaveLength(expected.length);
  });
});

describe("DeduplicationIndex", () => {
  const shards = 4;
  const entries = Array.from({ length: 4000 }, (_, n) => ({
    url: `http://h${n % 50}.example/${"x".repeat(n % 90)}/${Math.floor(n / 4)}?ü`,
    digest: `DIGEST${n}`,
    date: `2020010100000${n % 10}000`,
    origin: `f.warc.gz,${n},20200101000000000`,
  }));

  function indexOf(all: IndexEntry[]) {
    const files = new Map<string, Uint8Array>();
    const reads: string[] = [];
    for (let shard = 0; shard < shards; shard += 1) {
      const own = all
        .filter(({ url }) => shardOf(url, shards) === shard)
        .sort((a, b) => (a.url < b.url ? -1 : 1));
      const keys: BlockKey[] = [];
      const blocks: Uint8Array[] = [];
      for (const { firstUrl, content } of packBlocks(own)) {
        keys.push({ firstUrl, offset: Buffer.concat(blocks).byteLength, length: content.byteLength });
        blocks.push(content);
      }
      files.set(blocksName(shard), Buffer.concat(blocks));
      files.set(keysName(shard), Buffer.from(formatKeys(keys)));
    }
    const manifest = { format: "ingather-deduplication-index/1", shards, entries: all.length, jobs: ["1"] };
    files.set(manifestName, Buffer.from(JSON.stringify(manifest)));
    const opened = DeduplicationIndex.open({
      read: async (name) => {
        reads.push(name);
        return files.get(name);
      },
      readRange: async (name, { offset, length }) => {
        reads.push(name);
        return files.get(name)?.subarray(offset, offset + length) ?? new Uint8Array();
      },
    });
    return { opened, reads, files };
  }

  it("every tenth of 4,000 entries → found, with its own date and origin", async () => {
    const index = await indexOf(entries).opened;
    for (const entry of entries)
      expect(await index.lookup(entry.url, entry.digest.toLowerCase())).toEqual(entry);
  });

  it("another digest, a URL before the first, after the last or in between → nothing", async () => {
    const index = await indexOf(entries).opened;
    const [first] = entries as [IndexEntry];
    for (const url of [first.url, "a:", "zz:", `${first.url}!`])
      expect(await index.lookup(url, "OTHER")).toBeUndefined();
  });

  it("a lookup → the keys of the shard at the first time, and one block", async () => {
    const { opened, reads } = indexOf(entries);
    const index = await opened;
    const [first] = entries as [IndexEntry];
    reads.length = 0;
    await index.lookup(first.url, first.digest);
    expect(reads).toHaveLength(2);
    await index.lookup(first.url, first.digest);
    expect(reads).toHaveLength(3);
  });

  it("an empty index → nothing, without a read", async () => {
    const { opened, reads } = indexOf([]);
    const index = await opened;
    reads.length = 0;
    expect(await index.lookup("http://a.example/", "D")).toBeUndefined();
    expect(reads).toEqual([]);
  });

  it("no manifest → said so", async () => {
    const files = { read: async () => undefined, readRange: async () => new Uint8Array() };
    await expect(DeduplicationIndex.open(files)).rejects.toThrow("index.json is missing");
  });
});
