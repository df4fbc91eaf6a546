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
import { agencyPaths, answerAgency } from "./registration-agencies.ts";
import { supplement, supplementArticles } from "./supplement.ts";
import { isUnchanged, validatorsOf } from "./validators.ts";

/**
 * The port of the demo. It is fixed so that the article addresses are stable across restarts. The samples in
 * `events/` use it.
 */
export const demoPort = 4871;

/** The delay of a slow page: noticeable, but far below every timeout. */
export const slowPageMs = 2_500;

const feedPath = "/feed.xml";
const supplementFeedPath = "/supplement/feed.xml";
const oaiPath = "/oai";
const html = "text/html; charset=utf-8";
const rss = "application/rss+xml; charset=utf-8";

/** A robots.txt that permits all clients and paths, without a crawl delay. */
const robots = "User-agent: *\nAllow: /\n";

export interface DemoSite extends LoopbackServer {
  feedUrl: string;
  /**
   * The URL of the feed of the journal's supplement. Neither of its articles can be delivered: one is
   * refused, and one waits for its issue.
   */
  supplementFeedUrl: string;
  /** The base URL of an OAI-PMH repository that changes every 15 s. */
  oaiUrl: string;
  /** The APIs of the demo's registration agencies. */
  agencyUrls: Record<keyof typeof agencyPaths, string>;
}

interface Resource {
  contentType: string;
  body: string;
  /** The date of the last change (ISO 8601). */
  changed: string;
  slow?: boolean;
}

/**
 * Starts the web site of the demo journal. Its feed has 12 articles. Ten can be harvested (one of them is
 * slow), one has no title, and one has the status 404.
 * @param options.port default: a free port
 * @throws Error (`EADDRINUSE`) if the port is taken
 */
export async function startDemoSite(options: { port?: number; clock?: Clock } = {}): Promise<DemoSite> {
  const { port = 0, clock = systemClock } = options;
  const openedAt = clock.now();
  const server = await startLoopbackServer({ port, clock }, async (request) => {
    const registered = answerAgency(request.path);
    if (registered !== undefined) return registered;
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
    agencyUrls: { crossref: origin + agencyPaths.crossref, datacite: origin + agencyPaths.datacite },
  };
}

/** Serves the OAI-PMH repository of the demo and its files. @returns undefined for any other path */
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
