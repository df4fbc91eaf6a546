import { describe, expect, it } from "vitest";
import { loadListing, storeListing } from "../../../../shared/adapters/records/listing-parts.ts";
import { sourceOutcome } from "../../records/runs/source-outcome.ts";

const requests = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `r${n}`,
    kind: "article" as const,
    url: `https://j.example/${n}`,
    context: { entry: "x".repeat(bytes) },
  }));

const outcome = sourceOutcome({ entries: 1, requested: 1 });

describe("storeListing and loadListing", () => {
  it.each<[string, { articles: number; pages: number; bytes: number; objects: number }]>([
    ["a listing of nothing → its outcome", { articles: 0, pages: 0, bytes: 0, objects: 1 }],
    ["a part that is full → no empty one after it", { articles: 500, pages: 1, bytes: 0, objects: 3 }],
    ["one more → another part", { articles: 501, pages: 0, bytes: 0, objects: 3 }],
    [
      "as many and as long as requests may be → objects of at most 13 MB",
      { articles: 2500, pages: 600, bytes: 23_900, objects: 8 },
    ],
  ])("%s", async (_title, { articles, pages, bytes, objects }) => {
    const kept = new Map<string, string>();
    const keep = async (part: object) => {
      const key = String(kept.size);
      kept.set(key, JSON.stringify(part));
      return key;
    };
    const listing = {
      outcome,
      articleRequests: requests(articles, bytes),
      listingRequests: requests(pages, bytes),
    };
    const key = await storeListing(listing, keep);
    expect(await loadListing(key, async <T>(part: string) => JSON.parse(kept.get(part) ?? "") as T)).toEqual(
      listing,
    );
    expect(kept.size).toBe(objects);
    expect(Math.max(...[...kept.values()].map(({ length }) => length))).toBeLessThan(13_000_000);
  });
});
