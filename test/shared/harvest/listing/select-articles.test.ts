import { describe, expect, it } from "vitest";
import type { FeedEntry } from "../../../../shared/formats/feed/feed-entry.ts";
import { selectArticles } from "../../../../shared/harvest/listing/select-articles.ts";
import { MemoryPorts } from "../../memory-ports.ts";

const entry = (id: string, url: string): FeedEntry => ({ id, url, creators: [], keywords: [] });
const a = "https://j.example/a";
const b = "https://j.example/b";

describe("listArticles", () => {
  it.each<[string, FeedEntry[], string[]]>([
    ["an id of its own for each → both", [entry("1", a), entry("2", b)], [a, b]],
    ["one id for two addresses → both", [entry("1", a), entry("1", b)], [a, b]],
    ["one address twice → once", [entry("1", a), entry("2", a)], [a]],
    [
      "with and without what tracks its readers → once, without",
      [entry("1", `${a}?utm_source=rss`), entry("2", b), entry("3", a), entry("4", `${a}?utm_source=mail`)],
      [a, b],
    ],
    [
      "only with tracking parameters → once, the first one",
      [entry("1", `${a}?utm_source=rss`), entry("2", `${a}?utm_source=mail`)],
      [`${a}?utm_source=rss`],
    ],
  ])("%s", async (_title, entries, urls) => {
    const ports = new MemoryPorts();
    const time = ports.now.toISOString();
    const run = {
      runId: "run",
      deliveryMode: "LIVE" as const,
      state: "harvesting" as const,
      startedAt: time,
      deadlineAt: time,
    };
    const at = { run, sourceId: "s", title: "S", listingId: "feed", requestPolicy: {} };
    const { articleRequests } = await selectArticles(entries, at, ports);
    expect(articleRequests.map(({ url }) => url)).toEqual(urls);
  });
});
