import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import yazl from "yazl";
import { openZip, type ZipArchive } from "../../../../shared/harvest/uploads/zip/read-zip.ts";
import { defaultZipLimits, type ZipLimits } from "../../../../shared/harvest/uploads/zip/zip-entry.ts";
import { fileOf, type RawEntry, rawZip } from "./raw-zip.ts";

const good: RawEntry = { name: "good.txt", content: "good" };

async function open(bytes: Buffer, limits: Partial<ZipLimits> = {}): Promise<ZipArchive> {
  const archive = await openZip(fileOf(bytes), { ...defaultZipLimits, ...limits });
  if ("problem" in archive) throw new Error(archive.problem);
  return archive;
}

/** What becomes of each entry: its text, or why it is refused. */
async function read(bytes: Buffer, limits: Partial<ZipLimits> = {}): Promise<Record<string, string>> {
  const archive = await open(bytes, limits);
  const outcomes: [string, string][] = [];
  for (const entry of archive.entries) {
    if (entry.type === "refused") {
      outcomes.push([entry.name, `refused: ${entry.reason}`]);
      continue;
    }
    const unpacked = await archive.unpack(entry, async (chunks) => {
      const pieces: Uint8Array[] = [];
      for await (const chunk of chunks) pieces.push(chunk);
      return Buffer.concat(pieces).toString();
    });
    outcomes.push([
      entry.name,
      unpacked.type === "unpacked" ? unpacked.result : `refused: ${unpacked.reason}`,
    ]);
  }
  return Object.fromEntries(outcomes);
}

const zeros = Buffer.alloc(2_000_000);
const zip = rawZip([good]);
const tar = Buffer.concat([Buffer.alloc(257), Buffer.from("ustar"), Buffer.alloc(250)]);
const cases: [what: string, entry: RawEntry, reason: RegExp][] = [
  ["a path out of the archive", { name: "../evil.txt" }, /leads out of the archive/],
  ["a path out of the archive, further down", { name: "a/../../evil.txt" }, /leads out of the archive/],
  ["an absolute path", { name: "/etc/passwd" }, /absolute path/],
  ["a drive", { name: "C:/evil.txt" }, /absolute path/],
  ["a backslash", { name: "..\\evil.txt" }, /backslash/],
  ["U+0000", { name: "a.txt\0.pdf" }, /control characters/],
  ["a line break", { name: "a\nb.txt" }, /control characters/],
  ["a direction control", { name: "a\u202efdp.exe" }, /control characters/],
  ["an empty part", { name: "a//b.txt" }, /empty part/],
  ["a dot as part", { name: "./b.txt" }, /empty part/],
  ["no name", { name: "" }, /name is empty/],
  ["a long name", { name: "x".repeat(501) }, /more than 500 characters/],
  ["a name that is not UTF-8, but declared so", { name: Buffer.from([0xff, 0xfe]) }, /not UTF-8/],
  ["the same name again", { name: "good.txt" }, /same name/],
  ["the same name in capitals", { name: "GOOD.TXT" }, /same name/],
  ["the same name in another Unicode form", { name: "ｇood.txt" }, /same name/],
  ["a symbolic link", { name: "link", content: "/etc/passwd", mode: 0o120777 }, /symbolic link/],
  ["a device", { name: "device", mode: 0o020666 }, /not a regular file/],
  ["an encrypted entry", { name: "secret.txt", flags: 0x801 }, /encrypted/],
  ["another method", { name: "lzma.txt", method: 14 }, /method 14/],
  ["a bomb by its ratio", { name: "bomb.txt", content: zeros }, /200 times its packed size/],
  [
    "a bomb that hides its size",
    { name: "bomb.txt", content: zeros, sizeBytes: 10 },
    /more than the 10 bytes/,
  ],
  ["a size that is too large", { name: "short.txt", content: "abc", sizeBytes: 10 }, /3 bytes instead of 10/],
  ["a wrong checksum", { name: "bad.txt", content: "abc", crc: 1 }, /checksum/],
  ["another name in its place", { name: "a.txt", localName: "b.txt" }, /another name/],
  ["bytes of another entry", { name: "a.txt", content: "good", sharesPlaceOf: 0 }, /shares bytes/],
  ["an archive by its name", { name: "inner.tar.gz", content: "x" }, /nested archive/],
  ["an archive by its content", { name: "inner.pdf", content: zip }, /nested archive/],
  ["a tar by its content", { name: "inner.bin", content: tar }, /nested archive/],
  ["a folder with content", { name: "folder/", content: "x", mode: 0o040755 }, /folder with content/],
  ["a folder without slash", { name: "folder", mode: 0o040755 }, /contradict/],
];

describe("an archive with a hostile entry", () => {
  it.each(cases)("%s → refused by name, the others are read", async (_what, entry, reason) => {
    const archive = await open(rawZip([good, entry, { name: "last.txt", content: "last" }]));
    const outcomes = await read(rawZip([good, entry, { name: "last.txt", content: "last" }]));
    expect(archive.entries).toHaveLength(3);
    expect(outcomes["last.txt"]).toBe("last");
    const refused = await Promise.all(
      archive.entries.map(async (each) => {
        if (each.type === "refused") return each.reason;
        const unpacked = await archive.unpack(each, async (chunks) => {
          for await (const _chunk of chunks);
        });
        return unpacked.type === "refused" ? unpacked.reason : undefined;
      }),
    );
    expect(refused).toEqual([undefined, expect.stringMatching(reason), undefined]);
  });
});

describe("archives as a whole", () => {
  it("one that a program wrote, stored and deflated, in folders → all files", async () => {
    const writer = new yazl.ZipFile();
    writer.addEmptyDirectory("a");
    writer.addBuffer(Buffer.from("stored"), "a/stored.txt", { compress: false });
    writer.addBuffer(Buffer.from("deflated ".repeat(1000)), "a/Ünlü.txt");
    writer.addBuffer(Buffer.from("PK\x03\x04 pages"), "book.epub");
    writer.addBuffer(Buffer.from("x"), "zip64.txt", { forceZip64Format: true });
    writer.end();
    expect(await read(await buffer(writer.outputStream))).toEqual({
      "a/stored.txt": "stored",
      "a/Ünlü.txt": "deflated ".repeat(1000),
      "book.epub": "PK\x03\x04 pages",
      "zip64.txt": "x",
    });
  });

  it("entries beyond the limits of one and of all → refused, the smaller ones are read", async () => {
    const entries = ["12345678", "123456", "123", "1"].map((content, place) => ({
      name: String(place),
      content,
    }));
    expect(await read(rawZip(entries), { entryBytes: 7, totalBytes: 8 })).toEqual({
      0: "refused: it unpacks to more than 7 bytes",
      1: "123456",
      2: "refused: with it, the archive unpacks to more than 8 bytes",
      3: "1",
    });
  });

  it.each<[string, Buffer, Partial<ZipLimits>, RegExp]>([
    ["no zip", Buffer.from("no zip at all, but a text of some length"), {}, /not a readable zip archive/],
    ["cut off", zip.subarray(0, -30), {}, /not a readable zip archive/],
    ["empty", Buffer.alloc(0), {}, /not a readable zip archive/],
    ["too many entries", rawZip([good, { name: "b" }]), { entries: 1 }, /more than 1 entries/],
    [
      "a damaged directory",
      Buffer.from(zip.toString("latin1").replace("PK\x01\x02", "PK\x01\x03"), "latin1"),
      {},
      /directory is damaged/,
    ],
  ])("%s → a problem of the archive", async (_what, bytes, limits, problem) => {
    expect(await openZip(fileOf(bytes), { ...defaultZipLimits, ...limits })).toEqual({
      problem: expect.stringMatching(problem),
    });
  });

  it("a store that fails → the error is thrown, and no entry is blamed", async () => {
    const file = fileOf(rawZip([{ ...good, content: Buffer.alloc(200_000, "abcdefghij"), method: 0 }]));
    const archive = await openZip(file);
    if ("problem" in archive) throw new Error(archive.problem);
    // biome-ignore lint/correctness/useYield: it fails before.
    file.read = async function* () {
      throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
    };
    const [entry] = archive.entries;
    if (entry?.type !== "file") throw new Error("no file");
    const consume = async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const _chunk of chunks);
    };
    await expect(archive.unpack(entry, consume)).rejects.toThrow("reset");
  });

  it("a thousand small entries → their directory is read in blocks", async () => {
    const entries = Array.from({ length: 1000 }, (_, place) => ({ name: `${place}.txt`, content: "x" }));
    const file = fileOf(rawZip(entries));
    await openZip(file);
    expect(file.reads).toBeLessThan(5);
  });
});
