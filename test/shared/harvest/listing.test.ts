import { describe, expect, it } from "vitest";
import type { FeedEntry } from "../../../shared/harvest/feed/feed-entry.ts";
import { listArticles } from "../../../shared/harvest/listing.ts";
import type { ArticleContext } from "../../../shared/harvest/read-article.ts";
import { MemoryPorts } from "../memory-ports.ts";

const entry = (id: string, url: string, doi?: string): FeedEntry => ({
  id,
  url,
  creators: [],
  keywords: [],
  ...(doi !== undefined && { doi }),
});
const a = "https://j.example/a";
const b = "https://j.example/b";

describe("listArticles", () => {
  it.each<[string, FeedEntry[], string[]]>([
    ["an id of its own for each → kept", [entry("1", a), entry("2", b)], ["1", "2"]],
    ["one id for two addresses → the addresses", [entry("1", a), entry("1", b)], [a, b]],
    [
      "one id for two addresses, with DOIs → the DOIs",
      [entry("1", a, "10.5555/A"), entry("1", b, "https://doi.org/10.5555/b")],
      ["10.5555/a", "10.5555/b"],
    ],
    ["one id and address twice → once", [entry("1", a), entry("1", a)], ["1"]],
  ])("%s", async (_title, entries, ids) => {
    const ports = new MemoryPorts();
    const time = ports.now.toISOString();
    const run = {
      runId: "run",
      deliveryMode: "LIVE" as const,
      state: "harvesting" as const,
      startedAt: time,
      deadlineAt: time,
    };
    const at = { run, sourceId: "s", title: "S", listingId: "feed", manners: {} };
    const { articles } = await listArticles(entries, at, ports);
    expect(articles.map(({ context }) => (context as ArticleContext).entry.id)).toEqual(ids);
  });
});
