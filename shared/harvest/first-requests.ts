import { digest } from "../core/digest.ts";
import type { Group } from "../sources/group.ts";
import type { Source } from "../sources/source.ts";
import type { NewRequest } from "../web/gate/request.ts";
import { bareEntry, type Manners, mannersFor } from "./article-requests.ts";
import { type CrawlContext, pageRequest } from "./crawl/page-requests.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";
import { firstFeedPages } from "./feed-requests.ts";
import type { Run } from "./run.ts";

/** How the harvest of a source begins. */
export type Beginning =
  | { type: "listings"; requests: NewRequest[] }
  /** With one page: an article, or what a translation server knows as a list of them. */
  | { type: "page"; entry: FeedEntry; manners: Manners }
  | { type: "search"; request: NewRequest }
  /** In the bucket of received mails. */
  | { type: "mail" }
  | { type: "problem"; problem: string };

export interface Start {
  run: Run;
  group: Group;
}

/** Decides what a source of each type is asked for first. */
export function beginningOf(source: Source, { run, group }: Start): Beginning {
  const { sourceId, url } = source;
  const { runId } = run;
  const at = { runId, sourceId };
  const manners = mannersFor(source, group, run);
  switch (source.type) {
    case "RSS":
      return { type: "listings", requests: firstFeedPages(source, { runId, manners }) };
    case "CRAWL":
      return { type: "listings", requests: crawlRequests(source, at, manners) };
    case "DIRECT":
      return { type: "page", entry: bareEntry(url), manners };
    case "APIQUERY":
      return searchRequest(source, at, manners);
    case "EMAIL":
      return { type: "mail" };
  }
}

function crawlRequests(
  { url, crawl }: Source,
  at: Pick<CrawlContext, "runId" | "sourceId">,
  manners: Manners,
): NewRequest[] {
  const start = pageRequest(url, { ...at, role: "page", depth: 0 }, manners);
  if (!crawl.sitemaps) return [start];
  const robots = new URL("/robots.txt", url).href;
  return [start, pageRequest(robots, { ...at, role: "robots", depth: 0 }, manners)];
}

/** The translation server searches for the journal by its ISSN, in the name of the journal's host. */
function searchRequest(
  { url, online }: Source,
  at: { runId: string; sourceId: string },
  manners: Manners,
): Beginning {
  if (online?.issn === undefined) {
    return { type: "problem", problem: "a source of type APIQUERY needs an online ISSN to search for" };
  }
  const request: NewRequest = {
    id: digest(at.runId, at.sourceId, "search", online.issn),
    kind: "article",
    url,
    ...manners,
    translation: { search: online.issn, tellsChoices: true },
    context: { ...at, entry: bareEntry(url) },
  };
  return { type: "search", request };
}
