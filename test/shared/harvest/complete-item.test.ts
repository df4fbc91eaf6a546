import { describe, expect, it } from "vitest";
import { completeItem } from "../../../shared/harvest/complete-item.ts";
import type { FeedEntry } from "../../../shared/harvest/feed/feed-entry.ts";

const entry: FeedEntry = {
  id: "guid",
  url: "https://j.example/1",
  title: "From the feed",
  published: "Fri, 20 Nov 2026 10:00:00 GMT",
  publishedIso: "2026-11-20T10:00:00Z",
  creators: ["Pell, Ottoline", "Ansgar von Dunnock", "Voltaire"],
  volume: "7",
  startingPage: "3",
  endingPage: "9",
  keywords: ["knots"],
};

describe("completeItem", () => {
  it("what the page says stands", () => {
    const item = { itemType: "journalArticle", title: "From the page", volume: "8", tags: [{ tag: "nets" }] };
    expect(completeItem(item, entry)).toMatchObject({
      title: "From the page",
      volume: "8",
      tags: [{ tag: "nets" }],
    });
  });

  it("what the page leaves open comes from the feed", () => {
    expect(completeItem({ itemType: "journalArticle", title: "", creators: [] }, entry)).toMatchObject({
      title: "From the feed",
      date: "2026-11-20T10:00:00Z",
      volume: "7",
      pages: "3-9",
      url: "https://j.example/1",
      tags: [{ tag: "knots" }],
    });
  });

  it("names in one piece are taken apart, as those of pages are", () => {
    const creators = ["Pell, Ottoline", "ANSGAR VON DUNNOCK", "Voltaire", "desk@j.example"];
    expect(completeItem({ itemType: "journalArticle" }, { ...entry, creators }).creators).toEqual([
      { creatorType: "author", firstName: "Ottoline", lastName: "Pell" },
      { creatorType: "author", firstName: "Ansgar Von", lastName: "Dunnock" },
      { creatorType: "author", name: "Voltaire" },
    ]);
  });

  it.each([
    ["the same page twice", { startingPage: "7", endingPage: "7" }, "7"],
    ["a first page alone", { startingPage: "7", endingPage: undefined }, "7"],
    ["a range in one piece", { pages: "i-xii" }, "i-xii"],
  ])("%s → its pages", (_what, from, expected) => {
    expect(completeItem({ itemType: "journalArticle" }, { ...entry, ...from }).pages).toBe(expected);
  });

  it.each([
    ["a page that says nothing, a feed with a volume", "webpage", entry, "journalArticle"],
    [
      "a page that says nothing, a feed that says no more",
      "webpage",
      { ...entry, volume: undefined },
      "webpage",
    ],
    ["a page that says what it is", "thesis", entry, "thesis"],
  ])("%s → its type", (_what, itemType, from, expected) => {
    expect(completeItem({ itemType }, from).itemType).toBe(expected);
  });
});
