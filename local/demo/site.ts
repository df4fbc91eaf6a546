import { type Clock, systemClock } from "../../shared/core/clock.ts";
import { articlePath, articles, journal } from "./articles.ts";
import { renderFeed } from "./feed.ts";
import {
  type DemoRequest,
  type DemoResponse,
  type LoopbackServer,
  startLoopbackServer,
} from "./loopback-server.ts";
import { demoRecordsAt } from "./oai-records.ts";
import { answerOai } from "./oai-repository.ts";
import { articlePage, indexPage, notFoundPage } from "./pages.ts";
import { buildPdf } from "./pdf-file.ts";
import { supplement, supplementArticles } from "./supplement.ts";
import { isUnchanged, validatorsOf } from "./validators.ts";

/** A fixed port keeps the article addresses stable across restarts. The samples in `events/` use it. */
export const demoPort = 4871;

/** Noticeable, but far below every timeout. */
export const slowPageMs = 2_500;

const feedPath = "/feed.xml";
const supplementFeedPath = "/supplement/feed.xml";
const oaiPath = "/oai";
const html = "text/html; charset=utf-8";
const rss = "application/rss+xml; charset=utf-8";

/** Allows all clients and paths, without a crawl delay. */
const robots = "User-agent: *\nAllow: /\n";

export interface DemoSite extends LoopbackServer {
  feedUrl: string;
  /**
   * The URL of the journal's supplement, of which nothing can be delivered: one article is refused, one waits for its
   * issue.
   */
  supplementFeedUrl: string;
  /** The base URL of an OAI-PMH repository that changes every 15 s. */
  oaiUrl: string;
}

interface Resource {
  contentType: string;
  body: string;
  /** The date of the last change, in ISO 8601. */
  changed: string;
  slow?: boolean;
}

/**
 * Starts the web site of the demo journal. Its feed has 12 articles: 10 can be harvested, one of them slowly;
 * one has no title, and one answers 404.
 * @param options.port default: a free port
 * @throws Error (`EADDRINUSE`) when the port is taken
 */
export async function startDemoSite(options: { port?: number; clock?: Clock } = {}): Promise<DemoSite> {
  const { port = 0, clock = systemClock } = options;
  const openedAt = clock.now();
  const server = await startLoopbackServer({ port, clock }, async (request) => {
    const resource =
      papersAt(request, clock.now(), openedAt) ?? (await resourceAt(request.path, request.origin));
    if (resource === undefined) {
      return { status: 404, headers: { "content-type": html }, body: await notFoundPage() };
    }
    if (resource.slow) await clock.sleep(slowPageMs);
    return respondWith(resource, request);
  });
  const { origin } = server;
  return {
    ...server,
    feedUrl: origin + feedPath,
    supplementFeedUrl: origin + supplementFeedPath,
    oaiUrl: origin + oaiPath,
  };
}

/** The OAI-PMH repository of the demo, and its files; undefined for another path. */
function papersAt({ path, query, origin }: DemoRequest, now: Date, openedAt: Date): Resource | undefined {
  const records = demoRecordsAt(now, openedAt);
  const changed = now.toISOString();
  if (path === oaiPath) {
    const fileUrl = (number: number) => `${origin}/papers/${number}.pdf`;
    const body = answerOai(query, { baseUrl: origin + oaiPath, fileUrl, records, now });
    return { contentType: "text/xml; charset=utf-8", body, changed };
  }
  const [, number] = /^\/papers\/(\d+)\.pdf$/.exec(path) ?? [];
  const record = records.find((each) => String(each.number) === number);
  if (record === undefined || record.isDeleted) return undefined;
  return {
    contentType: "application/pdf",
    body: buildPdf(record.title),
    changed: record.changed.toISOString(),
  };
}

async function resourceAt(path: string, origin: string): Promise<Resource | undefined> {
  const changed = articles.map(({ published }) => published).reduce((a, b) => (a > b ? a : b));
  switch (path) {
    case "/":
      return { contentType: html, body: await indexPage(), changed };
    case "/robots.txt":
      return { contentType: "text/plain; charset=utf-8", body: robots, changed };
    case feedPath:
      return { contentType: rss, body: renderFeed({ journal, articles, path }, origin), changed };
    case supplementFeedPath: {
      const feed = { journal: supplement, articles: supplementArticles, path };
      return { contentType: rss, body: renderFeed(feed, origin), changed: "2026-10-27" };
    }
  }
  const article = [...articles, ...supplementArticles].find((candidate) => articlePath(candidate) === path);
  if (article === undefined || article.answer === "not-found") return undefined;
  return {
    contentType: html,
    body: await articlePage(article, origin),
    changed: article.published,
    slow: article.answer === "slow",
  };
}

function respondWith(
  { contentType, body, changed }: Resource,
  { method, headers }: DemoRequest,
): DemoResponse {
  if (method !== "GET" && method !== "HEAD")
    return { status: 405, headers: { allow: "GET, HEAD" }, body: "" };
  const validators = validatorsOf(body, new Date(changed));
  const versioned = { etag: validators.etag, "last-modified": validators.lastModified };
  if (isUnchanged(validators, headers)) return { status: 304, headers: versioned, body: "" };
  return { status: 200, headers: { ...versioned, "content-type": contentType }, body };
}
