import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { read, readAsFeed, rss } from "./feeds.ts";

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16le = (text: string) => Uint8Array.from(Buffer.from(text, "utf16le"));
const utf16be = (text: string) => Uint8Array.from(Buffer.from(text, "utf16le").swap16());
const declared = (encoding: string, title: string) =>
  `<?xml version="1.0" encoding="${encoding}"?><rss version="2.0"><channel><title>${title}</title></channel></rss>`;
const undeclared = (title: string) => `<rss version="2.0"><channel><title>${title}</title></channel></rss>`;

describe("the encoding", () => {
  test.each<[string, Uint8Array, string | undefined, string, boolean]>([
    ["nothing stated, UTF-8", utf8(undeclared("Zoë")), undefined, "Zoë", false],
    ["nothing stated, no UTF-8", latin1(undeclared("Zo\xeb")), undefined, "Zoë", true],
    ["declared iso-8859-1", latin1(declared("iso-8859-1", "Zo\xeb")), undefined, "Zoë", false],
    [
      "declared windows-1251",
      latin1(declared("windows-1251", "\xcd\xee\xe2\xee\xf1\xf2\xe8")),
      undefined,
      "Новости",
      false,
    ],
    ["declared iso-8859-7", latin1(declared("ISO-8859-7", "\xc9\xef\xfd\xed")), undefined, "Ιούν", false],
    ["declared big5", latin1(declared("big5", "\xa4\xa4\xa4\xe5")), undefined, "中文", false],
    ["declared shift_jis", latin1(declared("Shift_JIS", "\x93\xfa\x96\x7b")), undefined, "日本", false],
    [
      "the header before the declaration",
      latin1(declared("iso-8859-7", "Zo\xeb")),
      "text/xml; charset=iso-8859-1",
      "Zoë",
      false,
    ],
    [
      "the header in quotes and blanks",
      latin1(undeclared("Zo\xeb")),
      'text/xml;charset= "us-ascii"',
      "Zoë",
      false,
    ],
    [
      "the header without a semicolon",
      latin1(undeclared("Zo\xeb")),
      "text/xml charset=iso-8859-1",
      "Zoë",
      false,
    ],
    [
      "the header wrong, the declaration right",
      latin1(declared("iso-8859-1", "Zo\xeb")),
      "text/xml; charset=utf-8",
      "Zoë",
      true,
    ],
    [
      "the header unknown, the declaration right",
      latin1(declared("iso-8859-1", "Zo\xeb")),
      "text/xml; charset=klingon",
      "Zoë",
      true,
    ],
    [
      "a byte order mark before all",
      utf8(`\ufeff${declared("iso-8859-1", "Zoë")}`),
      "text/xml; charset=iso-8859-1",
      "Zoë",
      false,
    ],
    ["UTF-16 with a mark", utf16le(`\ufeff${declared("utf-16", "Zoë")}`), undefined, "Zoë", false],
    ["big-endian UTF-16 with a mark", utf16be(`\ufeff${declared("utf-16", "Zoë")}`), undefined, "Zoë", false],
    ["UTF-16 without a mark", utf16le(declared("utf-16", "Zoë")), undefined, "Zoë", false],
    ["big-endian UTF-16 without a mark", utf16be(declared("utf-16", "Zoë")), undefined, "Zoë", false],
    ["UTF-8 that claims to be UTF-16", utf8(declared("utf-16", "Zoë")), undefined, "Zoë", false],
  ])("%s → the title is right", (_, bytes, contentType, title, lenient) => {
    expect(readAsFeed(bytes, contentType)).toMatchObject({ title, lenient });
  });

  test.each([
    ["declared UTF-8 and not so", latin1(declared("utf-8", "Zo\xeb")), "utf-8"],
    ["declared as something unknown", utf8(declared("klingon", "Zoe")), "klingon"],
  ])("%s → refused, and the encoding is named", (_, bytes, named) => {
    expect(read(bytes)).toMatchObject({ reason: "encoding", detail: expect.stringContaining(named) });
  });

  test("a web page in another encoding than stated → refused as a web page", () => {
    const page = latin1("<html><title>Zo\xeb moved</title></html>");
    expect(read(page, "text/html; charset=utf-8")).toMatchObject({ reason: "html" });
  });
});

describe("bytes still compressed", () => {
  const packed = gzipSync(rss("<item><link>/1</link></item>"));
  const damaged = Uint8Array.from(packed).fill(0xaa, 15, 40);

  test("gzip → unpacked", () => {
    expect(readAsFeed(packed).entries).toHaveLength(1);
  });

  test.each([
    ["cut off", packed.subarray(0, -20), "truncated"],
    ["damaged", damaged, "encoding"],
    ["unpacking to 65 MiB", gzipSync(new Uint8Array(65 * 1024 * 1024)), "too-large"],
  ])("gzip %s → refused with that reason", (_, bytes, reason) => {
    expect(read(bytes)).toMatchObject({ type: "not-a-feed", reason });
  });
});
