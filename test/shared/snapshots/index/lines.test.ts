import { describe, expect, it } from "vitest";
import { parseCdxLine } from "../../../../shared/snapshots/index/cdx-line.ts";
import { parseCrawlLogLine } from "../../../../shared/snapshots/index/crawl-log-line.ts";

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

describe("parseCrawlLogLine", () => {
  it.each([
    [
      "a line → its URL, digest, mime type and date",
      line(),
      { url: "http://a.example/i.gif", digest: "ABC", mime: "image/gif", date: "20050506114823000" },
    ],
    ["an algorithm before the digest → left out", line({ digest: "sha1:ABC" }), { digest: "ABC" }],
    ["a mime type in capitals → lower case", line({ mime: "TEXT/HTML" }), { mime: "text/html" }],
    ["no start → the time of the line", line({ started: "-" }), { date: "20050506114824000" }],
    [
      "a duplicate → its origin as annotated",
      line({ notes: '- duplicate:"f.arc,42"' }),
      { duplicateOf: "f.arc,42" },
    ],
    [
      "a duplicate among other notes",
      line({ notes: '- 3t,deduplicate:"f.arc,42,20040101000000000",x:1' }),
      { duplicateOf: "f.arc,42,20040101000000000" },
    ],
    ["no end of the annotation", line({ notes: '- duplicate:"f.arc,42' }), "unterminated annotation"],
    ["neither date", line({ time: "yesterday", started: "-" }), "bad date"],
    ["a host name's lookup", line({ digest: "-" }), "no digest"],
    [
      "nine fields",
      "2005-05-06T11:48:24.182Z 200 1410 http://a.example/i.gif LE http://a.example/ image/gif #020 20050506114823169+3",
      "too few fields",
    ],
    ["42 characters", "x".repeat(42), "too short"],
  ])("%s", (_title, text, expected) => {
    const read = parseCrawlLogLine(text);
    if (typeof expected === "string") expect(read).toBe(expected);
    else expect(read).toMatchObject(expected);
  });
});

describe("parseCdxLine", () => {
  const cdxj = (fields: object) =>
    `example,a)/i.gif 20050506114823 ${JSON.stringify({ url: "http://a.example/i.gif", length: "5", offset: "42", filename: "f.warc.gz", ...fields })}`;
  const capture = { url: "http://a.example/i.gif", date: "20050506114823", file: "f.arc", offset: "42" };
  it.each([
    ["a CDX", "http://a.example/i.gif 1.2.3.4 20050506114823 image/gif 5 f.arc 42", capture],
    ["with a checksum", "http://a.example/i.gif 1.2.3.4 20050506114823 image/gif 5 f.arc 42 abc", capture],
    ["a CDXJ", cdxj({}), { ...capture, file: "f.warc.gz" }],
    ["a CDXJ of a revisit", cdxj({ mime: "warc/revisit" }), "a revisit"],
    ["a CDXJ that is no JSON", "example,a)/ 20050506114823 {x", "bad JSON"],
    ["six fields", "http://a.example/i.gif 1.2.3.4 20050506114823 image/gif 5 f.arc", "too few fields"],
    ["an invalid length", "http://a.example/i.gif 1.2.3.4 20050506114823 image/gif x f.arc 42", "no length"],
    ["an invalid offset", "http://a.example/i.gif 1.2.3.4 20050506114823 image/gif 5 f.arc -", "no offset"],
    ["an invalid date", "http://a.example/i.gif 1.2.3.4 2005 image/gif 5 f.arc 42", "bad date"],
  ])("%s", (_title, text, expected) => {
    expect(parseCdxLine(text)).toEqual(expected);
  });
});
