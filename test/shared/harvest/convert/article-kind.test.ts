import { describe, expect, it } from "vitest";
import type { Article } from "../../../../shared/harvest/convert/article.ts";
import { classifyArticle } from "../../../../shared/harvest/convert/article-kind.ts";
import { findOnlineFirstReason } from "../../../../shared/harvest/convert/online-first.ts";
import { contextOf } from "./fixtures.ts";

const article: Article = {
  itemType: "journalArticle",
  title: "On Bees",
  shortTitle: "",
  abstract: "",
  volume: "",
  issue: "",
  pages: "",
  date: "",
  doi: "",
  language: "",
  url: "https://example.org/bees/1",
  creators: [],
  keywords: [],
  rights: "",
  notes: new Map(),
};

describe("kindOf", () => {
  const { source, settings } = contextOf({
    source: { reviewRegex: "^Looking into", notesRegex: "^News" },
    settings: { reviewRegex: "(?i)review", notesRegex: "^Editorial" },
  });

  it.for<[string, Partial<Article>, "" | "review" | "note" | "review and note"]>([
    ["nothing of the sort", {}, ""],
    ["its title", { title: "Review: Bees" }, "review"],
    ["its short title", { shortTitle: "A review" }, "review"],
    ["a keyword", { keywords: ["Bees", "Book Reviews"] }, "review"],
    ["its title, as the source knows it", { title: "Looking into: Bees" }, "review"],
    ["its abstract alone", { abstract: "A review" }, ""],
    ["its title as a note", { title: "Editorial" }, "note"],
    ["its title as a note, as the source knows it", { title: "News" }, "note"],
    ["its short title as a note alone", { shortTitle: "Editorial" }, ""],
    ["both", { title: "Editorial Review" }, "review and note"],
  ])("an article that tells itself by %s → %s", ([, change, kind]) => {
    const { isReview, isNote } = classifyArticle({ ...article, ...change }, source, settings);
    const found = [isReview && "review", isNote && "note"].filter(Boolean).join(" and ");
    expect(found).toBe(kind);
  });
});

describe("prematureReason", () => {
  const plain = { isReview: false, isNote: false };

  it.for<[string, string, Partial<Article>, Partial<typeof plain>, boolean]>([
    ["a journal article without place and DOI", "online-first", {}, {}, false],
    ["a magazine article without place and DOI", "online-first", { itemType: "magazineArticle" }, {}, false],
    ["a review of another kind", "online-first", { itemType: "blogPost" }, { isReview: true }, false],
    ["a note of another kind", "online-first", { itemType: "blogPost" }, { isNote: true }, false],
    ["another kind of item", "kept", { itemType: "blogPost" }, {}, false],
    ["another kind of item, where all are dropped", "kept", { itemType: "blogPost" }, {}, true],
    ["one with a DOI", "kept", { doi: "10.1/x" }, {}, false],
    ["one with a DOI, where all are dropped", "online-first", { doi: "10.1/x" }, {}, true],
    ["one with a volume", "kept", { volume: "1" }, {}, true],
    ["one with an issue", "kept", { issue: "1" }, {}, true],
    ["an issue n/a", "early-view", { volume: "1", issue: "n/a" }, {}, false],
    ["an issue N/A", "early-view", { volume: "1", issue: "N/A" }, {}, false],
    ["a volume n/a", "early-view", { volume: "n/a" }, {}, false],
    ["another kind of item with an issue n/a", "kept", { itemType: "blogPost", issue: "n/a" }, {}, false],
  ])("%s → %s", ([, expected, change, kind, skipOnlineFirst]) => {
    const { settings } = contextOf({ settings: { skipOnlineFirst } });
    const premature = findOnlineFirstReason({ ...article, ...change }, { ...plain, ...kind }, settings);
    expect(premature?.reason ?? "kept").toBe(expected);
  });

  it.for<[string, Partial<Article>, boolean]>([
    ["it has no volume, no issue and no DOI", {}, false],
    ["it has no volume, no issue and no DOI", {}, true],
    ["it has no volume and no issue, and the settings drop all such articles", { doi: "10.1/x" }, true],
    ['its issue is "N/A"', { volume: "1", issue: "N/A" }, false],
  ])("says why: %s", ([detail, change, skipOnlineFirst]) => {
    const { settings } = contextOf({ settings: { skipOnlineFirst } });
    expect(findOnlineFirstReason({ ...article, ...change }, plain, settings)?.detail).toBe(detail);
  });
});
