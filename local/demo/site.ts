import { type Clock, systemClock } from "../../shared/core/clock.ts";
import { articlePath, articles } from "./articles.ts";
import { renderFeed } from "./feed.ts";
import {
  type DemoRequest,
  type DemoResponse,
  type LoopbackServer,
  startLoopbackServer,
} from "./loopback-server.ts";
import { articlePage, indexPage, notFoundPage } from "./pages.ts";
import { isUnchanged, validatorsOf } from "./validators.ts";

/** Its own port, so that the articles have the same addresses after a restart; the samples of `events/` name it. */
export const demoPort = 4871;

/** Long enough to be noticed, far below every time-out. */
export const slowPageMs = 2_500;

const feedPath = "/feed.xml";
const html = "text/html; charset=utf-8";

/** Everybody may read everything, at their own pace. */
const robots = "User-agent: *\nAllow: /\n";

export interface DemoSite extends LoopbackServer {
  feedUrl: string;
}

interface Resource {
  contentType: string;
  body: string;
  /** The day of the last change, as ISO 8601. */
  changed: string;
  slow?: boolean;
}

/**
 * The demo's journal as a web site of its own: a feed of 12 articles, of which 10 can be harvested, one of them slowly;
 * one has no title, and one answers 404.
 * @param options.port a free one unless given
 * @throws Error (`EADDRINUSE`) when the port is taken
 */
export async function startDemoSite(options: { port?: number; clock?: Clock } = {}): Promise<DemoSite> {
  const { port = 0, clock = systemClock } = options;
  const server = await startLoopbackServer({ port, clock }, async (request) => {
    const resource = await resourceAt(request.path, request.origin);
    if (resource === undefined) {
      return { status: 404, headers: { "content-type": html }, body: await notFoundPage() };
    }
    if (resource.slow) await clock.sleep(slowPageMs);
    return respondWith(resource, request);
  });
  return { ...server, feedUrl: server.origin + feedPath };
}

async function resourceAt(path: string, origin: string): Promise<Resource | undefined> {
  const changed = articles.map(({ published }) => published).reduce((a, b) => (a > b ? a : b));
  switch (path) {
    case "/":
      return { contentType: html, body: await indexPage(), changed };
    case "/robots.txt":
      return { contentType: "text/plain; charset=utf-8", body: robots, changed };
    case feedPath:
      return { contentType: "application/rss+xml; charset=utf-8", body: renderFeed(origin), changed };
  }
  const article = articles.find((candidate) => articlePath(candidate) === path);
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
