import { describe, expect, it } from "vitest";
import type { ByteView } from "../../../../../shared/snapshots/index/lines/byte-view.ts";
import { eachLine } from "../../../../../shared/snapshots/index/lines/each-line.ts";
import { readCdxLine, readCrawlLogLine } from "./read-lines.ts";

const line = (
  change: Partial<Record<"time" | "url" | "mime" | "started" | "digest" | "notes", string>> = {},
) => {
  const { time, url, mime, started, digest, notes } = {
    time: "2005-05-06T11:48:24.182Z",
    url: "http://a.example/i.gif",
    mime: "image/gif",
    started: "20050506114823169+3",
    digest: "ABC",
    notes: "- -",
    ...change,
  };
  return `${time}   200       1410 ${url} LE http://a.example/ ${mime} #020 ${started} ${digest} ${notes}`;
};

describe("CrawlLogLine", () => {
  it.each([
    [
      "a line → its URL, digest and date",
      line(),
      { url: "http://a.example/i.gif", digest: "ABC", isText: false, date: "20050506114823000" },
    ],
    ["an algorithm before the digest → left out", line({ digest: "sha1:ABC" }), { digest: "ABC" }],
    ["a mime type in capitals → a text", line({ mime: "TEXT/HTML" }), { isText: true }],
    ["a mime type that is cut off → no text", line({ mime: "text" }), { isText: false }],
    ["no start → the time of the line", line({ started: "-" }), { date: "20050506114824000" }],
    [
      "a duplicate → its origin as annotated",
      line({ notes: '- duplicate:"f.arc,42"' }),
      { origin: "f.arc,42", date: "20050506114823000" },
    ],
    [
      "a duplicate among other notes",
      line({ notes: '- 3t,deduplicate:"f.arc,42,20040101000000000",x:1' }),
      { origin: "f.arc,42,20040101000000000", date: "20040101000000000" },
    ],
    ["no end of the annotation", line({ notes: '- duplicate:"f.arc,42' }), "unterminated annotation"],
    ["neither date", line({ time: "yesterday", started: "-" }), "bad date"],
    ["a failure", line({ digest: "-" }), "no digest"],
    [
      "a host name's lookup",
      line({ digest: "-", url: "dns:a.example" }),
      { url: "dns:a.example", digest: "-" },
    ],
    [
      "nine fields",
      "2005-05-06T11:48:24.182Z 200 1410 http://a.example/i.gif LE http://a.example/ image/gif #020 20050506114823169+3",
      "too few fields",
    ],
    ["42 characters", "x".repeat(42), "too short"],
  ])("%s", (_title, text, expected) => {
    const read = readCrawlLogLine(text);
    if (typeof expected === "string") expect(read).toBe(expected);
    else expect(read).toMatchObject(expected);
  });
});

describe("CdxLine", () => {
  const cdxj = (fields: object) =>
    `example,a)/i.gif 20050506114823 ${JSON.stringify({ url: "http://a.example/i.gif", length: "5", offset: "42", filename: "f.warc.gz", ...fields })}`;
  const capture = { url: "http://a.example/i.gif", date: "20050506114823", file: "f.arc", offset: "42" };
  it.each([
    ["a CDX", "http://a.example/i.gif 1.2.3.4 20050506114823 image/gif 5 f.arc 42", capture],
    ["with a checksum", "http://a.example/i.gif 1.2.3.4 20050506114823 image/gif 5 f.arc 42 abc", capture],
    ["a CDXJ", cdxj({}), { ...capture, file: "f.warc.gz" }],
    ["a CDXJ of a revisit", cdxj({ mime: "warc/revisit" }), "a revisit"],
    ["a CDXJ that is not JSON", "example,a)/ 20050506114823 {x", "bad JSON"],
    ["six fields", "http://a.example/i.gif 1.2.3.4 20050506114823 image/gif 5 f.arc", "too few fields"],
    ["an invalid length", "http://a.example/i.gif 1.2.3.4 20050506114823 image/gif x f.arc 42", "no length"],
    ["an invalid offset", "http://a.example/i.gif 1.2.3.4 20050506114823 image/gif 5 f.arc -", "no offset"],
    ["an invalid date", "http://a.example/i.gif 1.2.3.4 2005 image/gif 5 f.arc 42", "bad date"],
  ])("%s", (_title, text, expected) => {
    expect(readCdxLine(text)).toEqual(expected);
  });

  const eleven = (mime = "image/gif") =>
    `a.example/i.gif 20050506114823 http://a.example/i.gif ${mime} 200 ABC - - 5 42 f.arc`;
  it.each([
    ["11 columns", " CDX N b a m s k r M S V g", eleven(), capture],
    ["11 columns, a revisit", " CDX N b a m s k r M S V g", eleven("warc/revisit"), "a revisit"],
    ["11 columns, fewer in a line", " CDX N b a m s k r M S V g", eleven().slice(0, -6), "too few fields"],
    [
      "9 columns, without a size",
      " CDX N b a m s k r V g",
      "a.example/i.gif 20050506114823 http://a.example/i.gif image/gif 200 ABC - 42 f.arc",
      capture,
    ],
    ["another order", "CDX g V b a m", "f.arc 42 20050506114823 http://a.example/i.gif image/gif", capture],
    [
      "canonical URLs and offsets without compression",
      " CDX A e b m n g v",
      "http://a.example/i.gif 1.2.3.4 20050506114823 image/gif - f.arc 42",
      capture,
    ],
    ["no file", " CDX N b a m s k r M S V", eleven(), "unknown columns"],
  ])("a header with %s → its columns", (_title, header, text, expected) => {
    expect(readCdxLine(text, header)).toEqual(expected);
  });
});

describe("eachLine", () => {
  async function* chunksOf(text: string, length: number) {
    for (let at = 0; at < text.length; at += length) yield Buffer.from(text.slice(at, at + length));
  }
  const linesOf = async (text: string, length: number, range?: Parameters<typeof eachLine>[2]) => {
    const lines: string[] = [];
    const sink = {
      line({ bytes }: ByteView, start: number, end: number) {
        lines.push(Buffer.from(bytes.subarray(start, end)).toString());
        // Every third line takes a while.
        return lines.length % 3 === 0 ? Promise.resolve() : undefined;
      },
      tooLong: () => void lines.push("too long"),
    };
    await eachLine(chunksOf(text, length), sink, range);
    return lines;
  };

  it.each([1, 2, 3, 4, 7, 100])("chunks of %i bytes → the same lines", async (length) => {
    expect(await linesOf("ab\n\ncde\r\nf", length)).toEqual(["ab", "", "cde\r", "f"]);
    expect(await linesOf("ab\n", length)).toEqual(["ab"]);
    expect(await linesOf("", length)).toEqual([]);
  });

  it("ranges of any length → each line once", async () => {
    const text = "ab\n\ncde\nfghij\n\n\nk";
    for (let rangeLength = 1; rangeLength <= text.length; rangeLength += 1) {
      for (const chunkLength of [1, 3, 100]) {
        const lines: string[] = [];
        for (let start = 0; start < text.length; start += rangeLength) {
          const isContinued = start > 0;
          const lengthBytes = Math.min(rangeLength, text.length - start);
          const range = { isContinued, lengthBytes };
          lines.push(...(await linesOf(text.slice(isContinued ? start - 1 : 0), chunkLength, range)));
        }
        expect(lines).toEqual(text.split("\n"));
      }
    }
  });

  it("a line of more than a MiB → named so, also in chunks; the next one is read", async () => {
    const text = `a\n${"x".repeat(1024 * 1024 + 1)}\nb\n`;
    expect(await linesOf(text, 100_000)).toEqual(["a", "too long", "b"]);
    expect(await linesOf(text, text.length)).toEqual(["a", "too long", "b"]);
  });
});
