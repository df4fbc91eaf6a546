import { describe, expect, it } from "vitest";
import { feed, links, worldOf } from "./site-world.ts";

describe("the deadline of a run", () => {
  it.each([
    ["a feed → its last articles", 2, { url: "/feed" }, { "/feed": feed("/1", "/2", "/3", "/4") }],
    [
      "a crawl, whose own time is over for its further pages → its last articles",
      2,
      {
        type: "CRAWL" as const,
        url: "/",
        crawl: { maxDepth: 1, extractionRegex: "/\\d", urlRegex: "/\\d", maxDurationMinutes: 999 },
      },
      { "/": links("/1", "/2", "/3", "/4") },
    ],
  ])(
    "that passes while a slow host is asked, %s are not asked and failed with the reason",
    async (...row) => {
      const [, late, source, site] = row;
      const { world, host, add } = await worldOf({ site });
      add({ ...source, throttleMs: 3_000_000, obeyRobots: false });
      const { documents } = await world.harvest();
      const reasons = documents.map((document) => ("reason" in document ? document.reason : ""));
      expect(reasons.filter((reason) => reason.startsWith("not fetched (too-late)"))).toHaveLength(late);
      expect(reasons).toHaveLength(4);
      expect(host.requests).toHaveLength(4);
    },
  );
});
