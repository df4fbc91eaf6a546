import { describe, expect, it } from "vitest";
import type { NewSource } from "../../../../shared/records/sources/source.ts";
import type { MockResponse } from "../mock-hosts.ts";
import { article, feed, item, links, type Site, worldOf } from "./site-world.ts";

describe("every function interrupted once, at any of its writes, and repeated", () => {
  const extractionRegex = String.raw`/a/\d$`;
  const choices = { url: "SITE/toc", session: "S", items: { "SITE/a/1": "One", "SITE/a/2": "Two" } };
  const site: Site = {
    "/feed?journal=A+Journal&page_num=1": feed("/a/1"),
    "/feed?journal=A+Journal&page_num=2": feed("/a/1", "/a/2"),
    "/toc": links("/issue/1", "/issue/2"),
    "/issue/1": links("/a/1", "/issue/2"),
    "/issue/2": links("/a/2", "/a/1", "/issue/1"),
    "/list": links("/a/1", "/a/2"),
    "/a/1": article("Item /a/1"),
    "/a/2": article("Item /a/2"),
  };
  const translations: Record<string, MockResponse> = {
    "SITE/a/1": { body: [item("/a/1")] },
    "SITE/a/2": { body: [item("/a/2")] },
    "SITE/toc": { status: 300, body: choices },
    "1111-1119": { status: 300, body: choices },
    "SELECT S": { body: [item("/a/1"), item("/a/2")] },
  };

  const kinds: [string, Partial<NewSource>][] = [
    ["a feed in pages", { type: "RSS", url: "/feed", pagedRss: {} }],
    ["a crawl", { type: "CRAWL", url: "/toc", crawl: { extractionRegex, urlRegex: "/issue/", maxDepth: 2 } }],
    ["a list", { type: "DIRECT", url: "/toc" }],
    ["a search", { type: "APIQUERY", online: { issn: "1111-1119", ppn: "1" } }],
    ["a mail", { type: "EMAIL", crawl: { extractionRegex } }],
    ["a list that we read ourselves", { type: "DIRECT", url: "/list", crawl: { extractionRegex } }],
  ];

  it.each(kinds)("%s → the run ends with all, each once", async (_kind, more) => {
    const isOurs = more.url === "/list";
    for (const before of [true, false]) {
      for (let writes = 0; writes < 8; writes += 1) {
        const { world, host, add } = await worldOf({ site, ...(!isOurs && { translations }) });
        add(more);
        const body = `Subject: x\r\nContent-Type: text/plain\r\n\r\nSee ${host.origin}/a/1. And ${host.origin}/a/2`;
        world.received.set("m1", new TextEncoder().encode(body));
        world.killAfter = { writes, before };
        const { documents } = await world.harvest();
        expect(documents.map(({ title }) => title).sort(), `write ${writes}, ${before}`).toEqual([
          "Item /a/1",
          "Item /a/2",
        ]);
        expect(world.deliveries.length, `write ${writes}, ${before}`).toBeGreaterThan(0);
      }
    }
  });
});
