import { beforeEach, describe, expect, it } from "vitest";
import { buildCrawlRequest } from "../../../../shared/harvest/crawl/crawl-requests.ts";
import { readCrawledPageResponse } from "../../../../shared/harvest/crawl/read-crawled-page-response.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import type { NewRequest } from "../../../../shared/web/request/request.ts";
import { inboundResponse } from "../../../../shared/web/request/response.ts";
import { MemoryPorts } from "../../memory-ports.ts";

const runId = "live-20261120T190000Z";
const maxPages = 10;

let memory: MemoryPorts;
let sent: NewRequest[];
let bodies: Map<string, Uint8Array>;
let isQueueDown: boolean;

beforeEach(async () => {
  memory = new MemoryPorts();
  sent = [];
  bodies = new Map();
  isQueueDown = false;
  const crawl = { maxDepth: 9, maxPages, extractionRegex: "/article/" };
  const url = "https://j.example/";
  memory.sourcesById.set(
    "s",
    source.parse({ sourceId: "s", title: "T", type: "CRAWL", url, groupId: "G", crawl }),
  );
  const time = memory.now.toISOString();
  await memory.runs.create({
    runId,
    deliveryMode: "LIVE",
    state: "harvesting",
    startedAt: time,
    deadlineAt: time,
  });
});

async function read(request: NewRequest, ...links: string[]): Promise<void> {
  const html = links.map((link) => `<a href="${link}">x</a>`).join("");
  bodies.set(request.id, new TextEncoder().encode(html));
  const outcome = { type: "answered", status: 200, url: request.url, hops: [], elapsedMs: 1 };
  const headers = { "content-type": "text/html" };
  const response = inboundResponse.parse({
    request,
    outcome: { ...outcome, headers, bodyKey: request.id },
  });
  await readCrawledPageResponse(response, {
    ...memory,
    bodies: { load: async (key) => bodies.get(key) ?? new Uint8Array() },
    requests: {
      send: async (requests) => {
        if (isQueueDown) throw new Error("the queue is down");
        sent.push(...requests);
      },
    },
    delivery: { send: async () => {} },
  });
}

function page(path: string, depth = 1): NewRequest {
  const deadlineMs = memory.now.getTime() + 1000;
  return buildCrawlRequest(
    `https://j.example${path}`,
    { runId, sourceId: "s", role: "page", depth, deadlineMs },
    {},
  );
}

/** Of all tallies of the source: requests that are opened, neither closed nor sent, and so will never be closed. */
async function lost(): Promise<string[]> {
  const isSent = new Set(sent.map(({ id }) => id));
  const names = [...memory.tallies.keys()]
    .map((key) => key.slice(runId.length + 1))
    .filter((name) => name.startsWith("source#"));
  const open = await Promise.all(names.map((name) => memory.runs.openIds(runId, name)));
  return open.flat().filter((id) => !isSent.has(id) && !/\.\d+$/.test(id));
}

const paths = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `/${prefix}${index}`);

describe("a page that broke off at its sending, and is repeated", () => {
  it.each<[string, string[], () => void | Promise<void>]>([
    [
      "after another has filled the crawl → all that it opened",
      paths("a", 8),
      () => read(page("/b"), ...paths("b", 8)),
    ],
    [
      "when the crawl's time is over → all that it opened",
      paths("a", 8),
      () => {
        memory.now = new Date(memory.now.getTime() + 60_000);
      },
    ],
    [
      "when another run has delivered an article → all that it opened",
      ["/article/1", "/article/2"],
      () => {
        const entryKey = "record:other";
        memory.archived.set("url:j.example/article/1", { owner: "other", state: "automatic", entryKey });
      },
    ],
  ])("%s is sent", async (_title, links, meanwhile) => {
    isQueueDown = true;
    await expect(read(page("/a"), ...links)).rejects.toThrow("the queue is down");
    isQueueDown = false;
    await meanwhile();
    await read(page("/a"), ...links);
    expect(await lost()).toEqual([]);
    const sentPaths = sent.map(({ url }) => new URL(url).pathname);
    expect(links.filter((link) => !sentPaths.includes(link))).toEqual([]);
  });
});

it("pages with many links → no more of them are claimed or counted than the crawl has room for", async () => {
  const first = page("/", 0);
  sent.push(first);
  for (let number = 0; number < sent.length; number += 1)
    await read(sent[number] ?? first, ...paths(`${number}-`, 100));
  expect(sent).toHaveLength(maxPages);
  expect(memory.claims.size).toBeLessThan(maxPages);
  expect(memory.tallies.get(`${runId} crawl#s`)?.opened.size).toBe(maxPages);
});
