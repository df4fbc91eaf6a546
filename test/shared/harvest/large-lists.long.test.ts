import { describe, expect, it } from "vitest";
import { readCrawledPageResponse } from "../../../shared/harvest/crawl/read-crawled-page-response.ts";
import { readFeedResponse } from "../../../shared/harvest/rss/read-feed-response.ts";
import { sourcesTallyName, sourceTallyName } from "../../../shared/records/runs/tally-names.ts";
import { source } from "../../../shared/records/sources/source.ts";
import type { NewRequest } from "../../../shared/web/request/request.ts";
import { inboundResponse } from "../../../shared/web/request/response.ts";
import { MemoryPorts } from "../memory-ports.ts";

const origin = "https://j.example";

/** What DynamoDB takes in one item. @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const itemBytes = 400_000;

/** A run of one source whose pages are made as they are requested; `sent` is what its lists have led to. */
function worldOf(crawl: object, pageOf: (path: string) => string) {
  const memory = new MemoryPorts();
  memory.addGroup("G");
  const base = { sourceId: "s", title: "S", type: "CRAWL", groupId: "G", deliveryMode: "LIVE" };
  memory.sourcesById.set("s", source.parse({ ...base, url: `${origin}/`, crawl }));
  const sent: NewRequest[] = [];
  const { sources, runs, archive } = memory;
  const ports = {
    sources,
    runs,
    archive,
    bodies: { load: async (path: string) => new TextEncoder().encode(pageOf(path)) },
    clock: { now: () => memory.now, sleep: async () => {} },
    requests: { send: async (requests: NewRequest[]) => void sent.push(...requests) },
    delivery: { send: async () => {} },
  };
  const begin = async (runId: string, id: string) => {
    const at = memory.now.toISOString();
    await runs.create({ runId, deliveryMode: "LIVE", state: "harvesting", startedAt: at, deadlineAt: at });
    await runs.updateTally(runId, sourcesTallyName, { opened: ["s"] });
    await runs.updateTally(runId, sourceTallyName("s"), { opened: [id] });
  };
  return { memory, ports, sent, begin };
}

function answerTo(request: NewRequest) {
  const { pathname: bodyKey } = new URL(request.url);
  const headers = { "content-type": "text/html" };
  const outcome = {
    type: "answered",
    url: request.url,
    status: 200,
    headers,
    hops: [],
    bodyKey,
    elapsedMs: 1,
  };
  return inboundResponse.parse({ request, outcome });
}

function largestTally(memory: MemoryPorts): number {
  const bytes = [...memory.tallies.values()].map(
    ({ opened, closed }) => [...opened, ...closed].join("").length,
  );
  return Math.max(...bytes);
}

describe("a feed of 100,000 articles", () => {
  it("→ 9,999 are requested in each run, the others left to the next; no item outgrows its table", async () => {
    const items = Array.from(
      { length: 100_000 },
      (_, n) => `<item><title>T</title><link>${origin}/a/${n}</link></item>`,
    );
    const rss = `<rss version="2.0"><channel><title>F</title>${items.join("")}</channel></rss>`;
    const { memory, ports, sent, begin } = worldOf({}, () => rss);
    for (const [runId, known] of [["one", {}] as const, ["two", { delivered: 9999 }] as const]) {
      await begin(runId, "list");
      const context = { runId, sourceId: "s" };
      await readFeedResponse(answerTo({ id: "list", kind: "feed", url: `${origin}/feed`, context }), ports);
      const [outcome] = await memory.runs.sourceOutcomes(runId);
      expect(outcome).toMatchObject({ entries: 100_000, known, requested: 9999 });
      expect(JSON.stringify(outcome).length).toBeLessThan(itemBytes);
      for (const { url } of sent) {
        const key = `url:${url.slice("https://".length)}`;
        memory.archived.set(key, { owner: "o", state: "automatic", entryKey: "e" });
      }
    }
    expect(new Set(sent.map(({ url }) => url)).size).toBe(2 * 9999);
    expect(largestTally(memory)).toBeLessThan(itemBytes);
  });
});

describe("a crawl of as many pages as one may have, each with an article", () => {
  it("→ all are requested, and no item outgrows its table", async () => {
    const maxPages = 5000;
    const pageOf = (path: string) => {
      const n = Number(path.split("/").at(-1));
      const next = Array.from({ length: 10 }, (_, child) => `/p/${n * 10 + child + 1}`);
      return [`/a/${n}`, ...next].map((href) => `<a href="${href}">x</a>`).join("");
    };
    const crawl = { maxPages, maxDepth: 5, extractionRegex: "/a/", urlRegex: "/p/" };
    const { memory, ports, sent, begin } = worldOf(crawl, pageOf);
    await begin("run", "first");
    const context = { runId: "run", sourceId: "s", role: "page", depth: 0 };
    sent.push({ id: "first", kind: "page", url: `${origin}/p/0`, context });
    for (const request of sent)
      if (request.kind === "page") await readCrawledPageResponse(answerTo(request), ports);
    const asked = Object.groupBy(sent, ({ kind }) => kind);
    expect([asked.page?.length, asked.article?.length]).toEqual([maxPages, maxPages]);
    // As the last one of its part, each article closes it.
    const tally = memory.tallies.get(`run ${sourceTallyName("s")}`);
    for (const id of tally?.opened ?? []) tally?.closed.add(id);
    expect(largestTally(memory)).toBeLessThan(itemBytes);
  });
});
