import { digest } from "../core/digest.ts";
import type { FeedEntry } from "../metadata/feed/feed-entry.ts";
import type { Run } from "../runs/run.ts";
import type { Group } from "../sources/group.ts";
import type { Source } from "../sources/source.ts";
import type { NewRequest } from "../web/gate/request.ts";
import { buildCrawlRequest, type CrawlContext } from "./crawl/crawl-requests.ts";
import { entryFromUrl } from "./listing/article-requests.ts";
import { type RequestPolicy, requestPolicyFor } from "./request-policy.ts";
import { buildFirstFeedRequests } from "./rss/feed-requests.ts";

/** How the harvest of a source begins. */
export type StartPlan =
  | { type: "listings"; requests: NewRequest[] }
  /** With one page: an article, or what a translation server knows as a list of them. */
  | { type: "page"; entry: FeedEntry; requestPolicy: RequestPolicy }
  | { type: "search"; request: NewRequest }
  /** In the bucket of received mails. */
  | { type: "mail" }
  | { type: "problem"; problem: string };

export interface StartContext {
  run: Run;
  group: Group;
}

/** Decides what a source of each type is asked for first. */
export function planStart(source: Source, { run, group }: StartContext): StartPlan {
  const { sourceId, url } = source;
  const { runId } = run;
  const at = { runId, sourceId };
  const requestPolicy = requestPolicyFor(source, group, run);
  switch (source.type) {
    case "RSS":
      return { type: "listings", requests: buildFirstFeedRequests(source, { runId, requestPolicy }) };
    case "CRAWL":
      return { type: "listings", requests: buildCrawlRequests(source, at, requestPolicy) };
    case "DIRECT":
      return { type: "page", entry: entryFromUrl(url), requestPolicy };
    case "APIQUERY":
      return planSearch(source, at, requestPolicy);
    case "EMAIL":
      return { type: "mail" };
  }
}

function buildCrawlRequests(
  { url, crawl }: Source,
  at: Pick<CrawlContext, "runId" | "sourceId">,
  requestPolicy: RequestPolicy,
): NewRequest[] {
  const start = buildCrawlRequest(url, { ...at, role: "page", depth: 0 }, requestPolicy);
  if (!crawl.sitemaps) return [start];
  const robots = new URL("/robots.txt", url).href;
  return [start, buildCrawlRequest(robots, { ...at, role: "robots", depth: 0 }, requestPolicy)];
}

/** The translation server searches for the journal by its ISSN, in the name of the journal's host. */
function planSearch(
  { url, online }: Source,
  at: { runId: string; sourceId: string },
  requestPolicy: RequestPolicy,
): StartPlan {
  if (online?.issn === undefined) {
    return { type: "problem", problem: "a source of type APIQUERY needs an online ISSN to search for" };
  }
  const request: NewRequest = {
    id: digest(at.runId, at.sourceId, "search", online.issn),
    kind: "article",
    url,
    ...requestPolicy,
    translation: { search: online.issn, returnsChoices: true },
    context: { ...at, entry: entryFromUrl(url) },
  };
  return { type: "search", request };
}
