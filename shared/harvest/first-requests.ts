import { digest } from "../core/digest.ts";
import type { Group } from "../sources/group.ts";
import type { Settings } from "../sources/settings.ts";
import type { Source } from "../sources/source.ts";
import type { NewRequest } from "../web/request.ts";
import { bareEntry, draftArticleRequests, type Manners, mannersFor } from "./article-requests.ts";
import { type CrawlContext, pageRequest } from "./crawl/page-requests.ts";
import { firstFeedPages } from "./feed-requests.ts";

/** How the harvest of a source begins. */
export type Beginning =
  /** `article`: the only request is for an article, not for a listing that will tell how the source fared. */
  | { type: "listings" | "article"; requests: NewRequest[] }
  /** In the bucket of received mails. */
  | { type: "mail" }
  | { type: "problem"; problem: string };

export interface Start {
  runId: string;
  group: Group;
  settings: Settings;
  startedAt: Date;
}

/** Decides what a source of each type is asked for first. */
export function beginningOf(source: Source, { runId, group, settings, startedAt }: Start): Beginning {
  const { sourceId, url } = source;
  const at = { runId, sourceId };
  const manners = mannersFor(source, group);
  switch (source.type) {
    case "RSS":
      return { type: "listings", requests: firstFeedPages(source, { runId, manners }) };
    case "CRAWL": {
      const untilMs = startedAt.getTime() + settings.crawlTimeoutSeconds * 1000;
      return { type: "listings", requests: crawlRequests(source, { ...at, untilMs }, manners) };
    }
    case "DIRECT": {
      const { requests, dropped } = draftArticleRequests([bareEntry(url)], at, manners);
      const [problem] = dropped;
      if (problem !== undefined) return { type: "problem", problem: problem.reason };
      return {
        type: "article",
        requests: requests.map((request) => ({ ...request, translation: { tellsChoices: true } })),
      };
    }
    case "APIQUERY":
      return searchRequest(source, at, manners);
    case "EMAIL":
      return { type: "mail" };
  }
}

function crawlRequests(
  { url, crawl }: Source,
  at: Pick<CrawlContext, "runId" | "sourceId" | "untilMs">,
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
  return { type: "article", requests: [request] };
}
