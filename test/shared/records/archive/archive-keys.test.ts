import { describe, expect, it } from "vitest";
import type { DataField } from "../../../../shared/marc/record.ts";
import { buildArchiveKeys, buildMatchKey } from "../../../../shared/records/archive/archive-keys.ts";

describe("buildArchiveKeys", () => {
  it.each([
    ["doi:10.5555/ABC", ["doi:10.5555/abc"]],
    ["https://doi.org/10.5555/abc", ["doi:10.5555/abc"]],
    ["http://dx.doi.org/10.5555%2Fabc", ["doi:10.5555/abc"]],
    ["https://doi.org/10.5555/abc/", ["doi:10.5555/abc"]],
    ["https://doi.org/10.5555/abc//", ["doi:10.5555/abc"]],
    ["doi:10.5555/abc/", ["doi:10.5555/abc"]],
    ["doi:10.5555/abc,", ["doi:10.5555/abc"]],
    ["doi:10.5555/abc/1", ["doi:10.5555/abc/1"]],
    ["https://Journal.Example/A/", ["url:journal.example/a"]],
    ["http://journal.example/A", ["url:journal.example/a"]],
    ["https://journal.example/A#abstract", ["url:journal.example/a"]],
    ["https://journal.example/A?id=1", ["url:journal.example/a?id=1"]],
    ["https://journal.example/#/article/1", ["url:journal.example#/article/1"]],
    ["https://journal.example/#!article/1", ["url:journal.example#!article/1"]],
    [
      "https://journal.example/doi/full/10.5555/abc",
      ["doi:10.5555/abc", "url:journal.example/doi/full/10.5555/abc"],
    ],
    [
      "https://journal.example/doi/10.5555/abc/full",
      ["doi:10.5555/abc", "doi:10.5555/abc/full", "url:journal.example/doi/10.5555/abc/full"],
    ],
    ["https://journal.example/%E0%A4%A", ["url:journal.example/%e0%a4%a"]],
    [" article 1 ", ["url:article 1"]],
  ])("%s → %j", (text, keys) => {
    const record = text.startsWith("doi:") ? { doi: text, urls: [] } : { urls: [text] };
    expect(buildArchiveKeys(record, "LIVE")).toEqual(keys);
  });

  it.each([
    "?utm_source=rss",
    "?utm_source=rss&utm_medium=feed&UTM_Campaign=x",
    "?utm_source=rss&amp;utm_medium=feed",
    "?fbclid=1",
    "?gclid=1",
    "?mc_cid=1&mc_eid=2",
    "?wt_mc=rss",
    "?WT.mc_id=1",
    "?cmpid=1",
    "?dgcid=rss_sd_all",
    "?af=R",
    "?rss=1",
    "?utm_source=rss#abstract",
  ])("an address with %s → known by its key without it, and by the one that it had before", (tracking) => {
    const given = "https://journal.example/article/1";
    const before = `url:journal.example/article/1${tracking.toLowerCase().replace(/#.*/, "")}`;
    expect(buildArchiveKeys({ urls: [given + tracking] }, "LIVE")).toEqual([
      "url:journal.example/article/1",
      before,
    ]);
    expect(buildArchiveKeys({ urls: [given] }, "LIVE")).toEqual(["url:journal.example/article/1"]);
  });

  it.each([
    ["%7Ejones/%61rticle%2E1?n=%2d%5F", "~jones/article.1?n=-_"],
    ["%7Ejones?utm_source=rss", "~jones"],
  ])(
    "an address %s with escapes that none needs → known as %s, and by the key that it had before",
    (given, plain) => {
      const keysOf = (path: string) =>
        buildArchiveKeys({ urls: [`https://journal.example/${path}`] }, "LIVE");
      const keyOf = (path: string) => `url:journal.example/${path}`.toLowerCase();
      expect(keysOf(given)).toEqual(expect.arrayContaining([keyOf(plain), keyOf(given)]));
      expect(keysOf(plain)).toEqual([keyOf(plain)]);
    },
  );

  it.each(["%2F", "%3F", "%23", "%26", "%25", "%20", "%2B", "%C3%A4"])(
    "an address with %s, which says something else than its character → one key",
    (triplet) => {
      expect(buildArchiveKeys({ urls: [`https://journal.example/a${triplet}b`] }, "LIVE")).toHaveLength(1);
    },
  );

  it("a URL with parameters of its own and tracking parameters → its own are part of its key, as written", () => {
    const url = "https://journal.example/a?id=%C3%A4&utm_source=rss&issue=";
    expect(buildArchiveKeys({ urls: [url] }, "LIVE")[0]).toBe("url:journal.example/a?id=%c3%a4&issue=");
  });

  it.each(["?source=rss", "?journalCode=abc", "?af=2", "?rss=7", "?ref=1", "?utm=1", "?xutm_source=1"])(
    "an address with %s, which may name an article → one key, with it",
    (query) => {
      const keys = buildArchiveKeys({ urls: [`https://journal.example/a${query}`] }, "LIVE");
      expect(keys).toEqual([`url:journal.example/a${query.toLowerCase()}`]);
    },
  );

  it("all keys of a record, each once and sorted", () => {
    const record = {
      doi: "10.5555/abc",
      urls: ["https://b.example/1", "https://doi.org/10.5555/ABC"],
      hash: "FF00",
    };
    expect(buildArchiveKeys(record, "LIVE")).toEqual(["doi:10.5555/abc", "hash:FF00", "url:b.example/1"]);
  });

  it.each([
    [
      "of the articles of an issue",
      "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O",
      "10.1002/(SICI)1097-4571(199806)49:8<701::AID-ASI5>3.0.CO;2-N",
    ],
    ["that differ after a +", "10.1000/abc+1", "10.1000/abc+2"],
    ["that differ after a #", "10.1000/abc#1", "10.1000/abc#2"],
    ["that differ in letters beyond ASCII", "10.1000/é1", "10.1000/é2"],
  ])("two DOIs %s → no key in common, whether stated or in an address", (_which, one, other) => {
    const keysOf = (doi: string) => [
      ...buildArchiveKeys({ doi, urls: [`https://doi.org/${doi}`] }, "LIVE"),
      ...buildArchiveKeys({ urls: [`https://doi.org/${encodeURIComponent(doi)}`] }, "LIVE"),
    ];
    expect(new Set(keysOf(one))).toEqual(new Set([`doi:${one.toLowerCase()}`]));
    expect(keysOf(one).filter((key) => keysOf(other).includes(key))).toEqual([]);
  });

  it("two SICI DOIs in URLs of a publisher → no key in common", () => {
    const keysOf = (end: string) =>
      buildArchiveKeys(
        { urls: [`https://p.example/doi/10.1002/(SICI)1097-4571(199806)49:8%3C${end}/abstract`] },
        "LIVE",
      );
    const other = keysOf("701::AID-ASI5%3E3.0.CO;2-N");
    expect(keysOf("693::AID-ASI4%3E3.0.CO;2-O").filter((key) => other.includes(key))).toEqual([]);
  });

  it("a test delivery → keys of its own", () => {
    expect(buildArchiveKeys({ urls: ["https://b.example/1"] }, "TEST")).toEqual(["test:url:b.example/1"]);
  });

  it("a URL longer than a key may be → a bounded key, another for another URL", () => {
    const keysOf = (path: string) => buildArchiveKeys({ urls: [`https://b.example/${path}`] }, "LIVE");
    const [one = ""] = keysOf("x".repeat(5000));
    expect(Buffer.byteLength(one)).toBeLessThan(1000);
    expect(keysOf(`${"x".repeat(4999)}y`)).not.toEqual([one]);
    expect(keysOf("x".repeat(5000))).toEqual([one]);
  });
});

describe("buildMatchKey", () => {
  const fields = {
    "773x": "2049-3630",
    "936j": "2021",
    "936d": "12",
    "936e": "3",
    "936h": "45-67",
    "245a": "On bees",
  };
  const keyOf = (change: Partial<Record<keyof typeof fields, string>>, mode: "LIVE" | "TEST" = "LIVE") => {
    const subfields = Object.entries({ ...fields, ...change }).filter(([, value]) => value !== "");
    const tags = Map.groupBy(subfields, ([name]) => name.slice(0, 3));
    const list = [...tags].map(([tag, all]): DataField => {
      return [tag, "  ", all.map(([name, value]): [string, string] => [name.slice(3), value])];
    });
    return buildMatchKey({ leader: "", control: [], fields: list }, mode);
  };
  const key = keyOf({});

  it.for<[string, Parameters<typeof keyOf>[0]]>([
    ["a title that differs in case and signs", { "245a": "On Bees." }],
    ["pages that begin alike", { "936h": "45" }],
    ["an ISSN in lower case", { "773x": "2049-3630" }],
  ])("%s → the same key", ([, change]) => {
    expect(key).toMatch(/^match:/);
    expect(keyOf(change)).toBe(key);
  });

  it.for(Object.keys(fields) as (keyof typeof fields)[])("another %s → another key", (name) => {
    expect(keyOf({ [name]: "9" })).toBeDefined();
    expect(keyOf({ [name]: "9" })).not.toBe(key);
  });

  it.for<[string, Parameters<typeof keyOf>[0]]>([
    ["an ISSN", { "773x": "" }],
    ["a year", { "936j": "" }],
    ["a volume and an issue", { "936d": "", "936e": "" }],
    ["a title", { "245a": "" }],
    ["a first page, and with a short title", { "936h": "" }],
  ])("without %s → no key", ([, change]) => {
    expect(keyOf(change)).toBeUndefined();
  });

  it("without a first page, and with a long title → a key", () => {
    expect(keyOf({ "936h": "", "245a": "On the bees of the northern islands and their keepers" })).toMatch(
      /^match:/,
    );
  });

  it("a test delivery → a key of its own", () => {
    expect(keyOf({}, "TEST")).toBe(`test:${key}`);
  });
});
