import { describe, expect, test } from "vitest";
import { read, readAsFeed } from "./feeds.ts";

const feed = (items: unknown[], more: object = {}) =>
  JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: "Journal", items, ...more });

test("JSON Feed 1.1 → every field of the entry", () => {
  const item = {
    id: "x-1",
    url: "/article/10.5555/1",
    title: "On bees",
    summary: "Abstract",
    date_published: "2021-01-02T03:04:05Z",
    date_modified: "2021-01-03",
    authors: [{ name: "Ada" }, { url: "https://a.example" }, { name: "Alan" }],
    tags: ["Bees", "Bees", "Wasps"],
  };
  expect(readAsFeed(feed([item], { language: "en", next_url: "?page=2" }))).toEqual({
    type: "feed",
    format: "json-feed",
    title: "Journal",
    lenient: false,
    nextPageUrl: "https://journal.example.org/feeds/current.xml?page=2",
    dropped: [],
    entries: [
      {
        id: "x-1",
        url: "https://journal.example.org/article/10.5555/1",
        doi: "10.5555/1",
        title: "On bees",
        published: "2021-01-02T03:04:05Z",
        publishedIso: "2021-01-02T03:04:05Z",
        updated: "2021-01-03",
        updatedIso: "2021-01-03",
        creators: ["Ada", "Alan"],
        keywords: ["Bees", "Wasps"],
        language: "en",
      },
    ],
  });
});

describe("an item", () => {
  test.each([
    ["version 1.0's single author", { url: "/1", author: { name: "Ada" } }, { creators: ["Ada"] }],
    ["a number as id", { url: "/1", id: 17 }, { id: "17" }],
    ["external_url alone", { external_url: "https://a.example/1" }, { url: "https://a.example/1" }],
    ["a web address as id alone", { id: "https://a.example/1" }, { url: "https://a.example/1" }],
    [
      "fields of the wrong kind",
      { url: "/1", title: 5, authors: "Ada", tags: [1] },
      { title: undefined, creators: [], keywords: [] },
    ],
  ])("%s → read", (_, item, expected) => {
    expect(readAsFeed(feed([item])).entries[0]).toMatchObject(expected);
  });

  test("no address, or no object → dropped, the others stay", () => {
    const reading = readAsFeed(feed([{ id: "x" }, "text", { url: "/1" }]));
    expect(reading.entries).toHaveLength(1);
    expect(reading.dropped.map(({ index }) => index)).toEqual([0, 1]);
  });
});

describe("no feed", () => {
  const whole = feed([{ url: "/1" }]);
  test.each([
    ["JSON of another kind", '{"error":"not found"}', "unknown-format"],
    ["a feed without items", '{"version":"https://jsonfeed.org/version/1"}', "unknown-format"],
    ["cut inside a text", whole.slice(0, -20), "truncated"],
    ["cut before its last brace", whole.slice(0, -1), "truncated"],
    ["a comma too many", whole.replace("]", ",]"), "not-well-formed"],
  ])("%s → refused with that reason", (_, body, reason) => {
    expect(read(body)).toMatchObject({ type: "not-a-feed", reason });
  });
});
