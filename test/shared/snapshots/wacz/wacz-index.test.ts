import { describe, expect, it } from "vitest";
import type { ReadCapturedPage } from "../../../../shared/snapshots/wacz/captured-page.ts";
import {
  type CdxjLine,
  type OriginalRecord,
  parseCdxjLine,
  unresolvedRevisits,
  waczIndex,
} from "../../../../shared/snapshots/wacz/wacz-index.ts";
import { waczPages } from "../../../../shared/snapshots/wacz/wacz-pages.ts";
import { jsonLines } from "../../../local/cli/commands/run-command.ts";

const capture = (url: string, timestamp: string, more: object = {}): CdxjLine => ({
  timestamp,
  fields: { url, digest: "sha1:A", ...more },
});
const revisited = capture("http://a.example/", "20260102000000", { mime: "warc/revisit" });

describe("unresolvedRevisits", () => {
  const original = { url: "http://a.example/", timestamp: "20250101000000" };
  it.each([
    ["its original is there", capture(original.url, original.timestamp), original, true],
    ["the same content at another time", capture(original.url, "20250101000001"), original, false],
    ["the same content of another URL", capture("http://b.example/", original.timestamp), original, false],
    ["other content", capture(original.url, original.timestamp, { digest: "sha1:B" }), original, false],
    ["its original is a revisit itself", { ...revisited, timestamp: original.timestamp }, original, false],
    [
      "by URL and second, when it has no digest",
      capture(original.url, original.timestamp),
      original,
      true,
      {},
    ],
    ["it names none", capture(original.url, original.timestamp), undefined, false],
  ] as [string, CdxjLine, OriginalRecord | undefined, boolean, object?][])(
    "%s → resolved or not",
    (...given) => {
      const [, held, refersTo, isResolved, digest = { digest: "sha1:A" }] = given;
      const revisit = {
        ...revisited,
        fields: { url: revisited.fields.url, mime: "warc/revisit", ...digest },
      };
      const originals = new Map([
        [revisit, refersTo],
        [held, refersTo],
      ]);
      const unresolved = unresolvedRevisits([held, revisit], originals);
      expect(unresolved.includes(revisit)).toBe(!isResolved);
    },
  );
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

describe("waczIndex", () => {
  it("a response and a revisit of one URL and second → the response", () => {
    const response = capture("http://a.example/", "20260102000000", { mime: "text/html" });
    const other = { ...revisited, timestamp: "20260102000001" };
    const [index] = waczIndex([revisited, response, other]);
    const mimes = String(index?.content)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line.slice(line.indexOf("{"))).mime);
    expect(mimes).toEqual(["text/html", "warc/revisit"]);
  });

  it("URLs whose hosts differ by www2 → one key, and each its URL", () => {
    const captures = ["http://www.a.example/", "http://www2.a.example/", "http://a.example/100%"].map((url) =>
      capture(url, "20260102000000"),
    );
    const lines = String(waczIndex(captures)[0]?.content).trimEnd().split("\n");
    expect(lines.map((line) => line.split(" ", 1)[0])).toEqual([
      "example,a)/",
      "example,a)/",
      "example,a)/100%",
    ]);
    expect(new Set(lines.map((line) => JSON.parse(line.slice(line.indexOf("{"))).url)).size).toBe(3);
  });
});

describe("waczPages", () => {
  type Found = [string, { hops: string; mime: string }][];
  /** The lines of the lists of pages, by path; without their headers. */
  async function listsOf(captures: CdxjLine[], found: Found, read: ReadCapturedPage = async () => ({})) {
    const lists = await waczPages(captures, new Map(found), read);
    return Object.fromEntries(
      lists.map(({ path, content }) => [path, jsonLines(String(content)).slice(1)] as const),
    );
  }
  const urlsOf = async (captures: CdxjLine[], found: Found) =>
    Object.values(await listsOf(captures, found))
      .flat()
      .map(({ url }) => url);
  const page = { hops: "L", mime: "text/html" };

  it("seeds and linked pages that were answered well → pages; what they are made of and robots.txt → not", async () => {
    const captures = ["/", "/page", "/gone", "/a.png", "/robots.txt"].map((url) =>
      capture(url, "20260102000000", { status: url === "/gone" ? "404" : "200" }),
    );
    expect(
      await urlsOf(captures, [
        ["/", { hops: "", mime: "image/png" }],
        ["/page", page],
        ["/gone", page],
        ["/a.png", { hops: "E", mime: "image/png" }],
        ["/robots.txt", { hops: "P", mime: "text/plain" }],
      ]),
    ).toEqual(["/", "/page"]);
  });

  it("no page → all that was captured, as a viewer without pages is empty", async () => {
    expect(await urlsOf([capture("/", "20260102000000", { status: "500" })], [["/", page]])).toEqual(["/"]);
  });

  it("seeds → pages, others → extraPages; with title and text as they are read, else the URL", async () => {
    const captures = ["/", "/moved", "/page", "/odd"].map((url) =>
      capture(url, "20260102000000", { status: "200" }),
    );
    const found: Found = [
      ["/", { hops: "", mime: "text/html" }],
      ["/moved", { hops: "R", mime: "text/html" }],
      ["/page", page],
      ["/odd", page],
    ];
    const lists = await listsOf(captures, found, async ({ fields: { url } }) =>
      url === "/odd" ? {} : { title: `T ${url}`, text: `On ${url}` },
    );
    expect(lists).toMatchObject({
      "pages/pages.jsonl": [
        { url: "/", title: "T /", text: "On /", ts: "2026-01-02T00:00:00Z" },
        { url: "/moved", title: "T /moved" },
      ],
      "pages/extraPages.jsonl": [
        { url: "/page", title: "T /page" },
        { url: "/odd", title: "/odd" },
      ],
    });
    expect(lists["pages/extraPages.jsonl"]?.[1]).not.toHaveProperty("text");
  });
});
