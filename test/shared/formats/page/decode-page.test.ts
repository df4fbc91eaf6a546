import { expect, test } from "vitest";
import { decodePage } from "../../../../shared/formats/page/decode-page.ts";

const ascii = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

/** 0x93 and 0x94 are quotation marks in windows-1252 and nothing in UTF-8. */
test.each<[string, Uint8Array, string | undefined, string]>([
  ["a mark for UTF-8 → before the header", ascii("\xef\xbb\xbf<p>"), "text/html; charset=koi8-r", "utf-8"],
  [
    "a mark for UTF-16 → before the header",
    ascii("\xfe\xff\0<\0p\0>"),
    "text/html; charset=utf-8",
    "utf-16be",
  ],
  ["UTF-16 without a mark → seen by its zeros", ascii("<\0p\0>\0"), "text/html; charset=utf-8", "utf-16le"],
  [
    "the header → before the meta tag",
    ascii('<meta charset="utf-8">'),
    "text/html;charset='KOI8-R'",
    "koi8-r",
  ],
  [
    "an unknown label → the next one counts",
    ascii("<meta charset=koi8-r>"),
    "text/html; charset=klingon",
    "koi8-r",
  ],
  ["XML declaration → counts", ascii('<?xml version="1.0" encoding="koi8-r"?><html>'), undefined, "koi8-r"],
  [
    "meta pragma → counts",
    ascii('<META CONTENT="text/html; charset=gb2312" HTTP-EQUIV=Content-Type>'),
    undefined,
    "gbk",
  ],
  [
    "charset in another meta tag's text → does not",
    ascii('<meta name="x" content="charset=koi8-r">'),
    undefined,
    "utf-8",
  ],
  ["charset in a comment → does not", ascii("<!-- <meta charset=koi8-r> -->"), undefined, "utf-8"],
  [
    "charset behind 1024 bytes of a page that is UTF-8 → does not",
    ascii(`${" ".repeat(1023)}<p><meta charset=koi8-r>`),
    undefined,
    "utf-8",
  ],
  [
    "of one that is not → counts",
    ascii(`${" ".repeat(1023)}<p><meta charset=koi8-r>\xf0`),
    undefined,
    "koi8-r",
  ],
  [
    "a replaced encoding behind 1024 bytes → refused",
    ascii(`${" ".repeat(1023)}<p><meta charset=iso-2022-kr>\xf0`),
    undefined,
    "encoding",
  ],
  ["UTF-16 in single bytes → UTF-8", ascii("<meta charset=utf-16>"), undefined, "utf-8"],
  [
    "latin1 → windows-1252, as browsers have it",
    ascii("<meta charset=latin1>\x93"),
    undefined,
    "windows-1252",
  ],
  ["nothing named, not UTF-8 → windows-1252", ascii("<p>\x93x\x94"), undefined, "windows-1252"],
  ["a replaced encoding → refused", ascii("<meta charset=iso-2022-kr>"), undefined, "encoding"],
])("%s", (_title, bytes, contentType, expected) => {
  const decoded = decodePage(bytes, contentType);
  expect(decoded.type === "text" ? decoded.encoding : decoded.reason).toBe(expected);
});
