import { describe, expect, it } from "vitest";
import {
  type CdxjLine,
  parseCdxjLine,
  unresolvedRevisits,
} from "../../../../shared/snapshots/wacz/wacz-index.ts";

const capture = (url: string, timestamp: string, more: object = {}): CdxjLine => ({
  timestamp,
  fields: { url, digest: "sha1:A", ...more },
});
const revisit = capture("http://a.example/", "20260102000000", { mime: "warc/revisit" });

describe("unresolvedRevisits", () => {
  const original = { url: "http://a.example/", timestamp: "20250101000000" };
  it.each([
    ["its original is there", capture(original.url, original.timestamp), original, true],
    ["the same content at another time", capture(original.url, "20250101000001"), original, false],
    ["the same content of another URL", capture("http://b.example/", original.timestamp), original, false],
    ["other content", capture(original.url, original.timestamp, { digest: "sha1:B" }), original, false],
    ["its original is a revisit itself", { ...revisit, timestamp: original.timestamp }, original, false],
    ["it names none", capture(original.url, original.timestamp), undefined, false],
  ])("%s → resolved or not", (_title, held, refersTo, isResolved) => {
    const originals = new Map([
      [revisit, refersTo],
      [held, refersTo],
    ]);
    const unresolved = unresolvedRevisits([held, revisit], originals);
    expect(unresolved.includes(revisit)).toBe(!isResolved);
  });
});

describe("parseCdxjLine", () => {
  it.each([
    "",
    "a)/ 2026 {}",
    'a)/ 20260101000000 {"url":',
    'a)/ 20260101000000 {"mime":"x/y"}',
    "a)/ 20260101000000 null",
  ])("%j → no line", (line) => {
    expect(parseCdxjLine(line)).toBeUndefined();
  });
});
