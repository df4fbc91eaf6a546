import { type StartSource, startListings } from "../listing/start-listings.ts";
import { buildCrawlRequest } from "./crawl-requests.ts";

/**
 * CRAWL: requests the first page and, for sitemaps, robots.txt. `read-crawled-page-response.ts` reads the responses.
 */
export const startCrawl: StartSource = (source, context, ports) => {
  const { sourceId, url, crawl } = source;
  const { run, requestPolicy } = context;
  const base = { runId: run.runId, sourceId, depth: 0 };
  const requests = [buildCrawlRequest(url, { ...base, role: "page" }, requestPolicy)];
  if (crawl.sitemaps) {
    const robots = new URL("/robots.txt", url).href;
    requests.push(buildCrawlRequest(robots, { ...base, role: "robots" }, requestPolicy));
  }
  return startListings(requests, source, context, ports);
};
