import { decodePage } from "../../formats/page/decode-page.ts";
import { findLinks } from "../../formats/page/html-links.ts";
import { findSitemaps, parseSitemap } from "../../formats/sitemap.ts";
import type { Source } from "../../records/sources/source.ts";
import { siteOf } from "../../web/address/site.ts";
import type { OutboundRequest } from "../../web/request/request.ts";
import { describeUnusableOutcome, isUsableAnswer, type ResponseOutcome } from "../../web/request/response.ts";
import { chooseLinks } from "./choose-links.ts";
import type { CrawlContext } from "./crawl-requests.ts";

/** The links of a crawl response, or the reason why there are none. */
export type CrawlResult =
  | { type: "links"; harvest: string[]; follow: string[]; role: CrawlContext["role"] }
  /** The page was not fetched before the crawl's deadline. */
  | { type: "too-late" }
  | { type: "failed"; reason: string; outcome?: ResponseOutcome };

interface CrawlAnswer {
  request: Pick<OutboundRequest, "url">;
  outcome: ResponseOutcome;
  context: CrawlContext;
  source: Source;
}

/** The maximum nesting depth of sitemap indexes. */
const maxSitemapDepth = 3;

const emptyResult: Extract<CrawlResult, { type: "links" }> = {
  type: "links",
  harvest: [],
  follow: [],
  role: "page",
};

/**
 * Parses the response to a crawl request.
 * @param bytes the body of the response
 */
export function readCrawlAnswer(answer: CrawlAnswer, bytes: Uint8Array): CrawlResult {
  const { outcome, context } = answer;
  if (context.deadlineMs !== undefined && outcome.type === "refused" && outcome.reason === "too-late")
    return { type: "too-late" };
  switch (context.role) {
    case "page":
      return readPageAnswer(answer, bytes);
    case "robots":
      return readRobotsAnswer(answer, bytes);
    case "sitemap":
      return readSitemapAnswer(answer, bytes);
  }
}

function readPageAnswer({ request, outcome, context, source }: CrawlAnswer, bytes: Uint8Array): CrawlResult {
  if (!isUsableAnswer(outcome)) return { type: "failed", reason: describeUnusableOutcome(outcome), outcome };
  const site = siteOf(new URL(outcome.url));
  // The source's own URL may redirect to another site; further pages may not.
  if (context.depth > 0 && site !== siteOf(new URL(request.url))) {
    return { type: "failed", reason: `${request.url} redirects to another site, ${outcome.url}` };
  }
  const page = decodePage(bytes, outcome.headers["content-type"]);
  if (page.type === "no-text") {
    return { type: "failed", reason: `${outcome.url} is not a web page (${page.reason}): ${page.detail}` };
  }
  const { harvest, follow } = chooseLinks(findLinks(page.text, outcome.url), site, source);
  return {
    type: "links",
    harvest,
    follow: context.depth < source.crawl.maxDepth ? follow : [],
    role: "page",
  };
}

/** Returns the sitemaps in robots.txt. If it contains none, returns the conventional URL `/sitemap.xml`. */
function readRobotsAnswer({ request, outcome }: CrawlAnswer, bytes: Uint8Array): CrawlResult {
  const isFile = isUsableAnswer(outcome);
  const named = isFile ? findSitemaps(new TextDecoder().decode(bytes)) : [];
  const follow = named.length > 0 ? named : [new URL("/sitemap.xml", request.url).href];
  return { ...emptyResult, follow, role: "sitemap" };
}

function readSitemapAnswer(
  { request, outcome, context, source }: CrawlAnswer,
  bytes: Uint8Array,
): CrawlResult {
  // Sitemaps are optional.
  if (outcome.type === "answered" && outcome.status === 404) return emptyResult;
  if (!isUsableAnswer(outcome)) return { type: "failed", reason: describeUnusableOutcome(outcome) };
  const sitemap = parseSitemap(bytes, outcome.url);
  if (sitemap.type === "not-a-sitemap") {
    return { type: "failed", reason: `${outcome.url} is not a sitemap: ${sitemap.detail}` };
  }
  const site = siteOf(new URL(request.url));
  if (sitemap.type === "pages") {
    return { ...emptyResult, harvest: chooseLinks(sitemap.urls, site, source).harvest };
  }
  const further = sitemap.urls.filter((url) => siteOf(url) === site).map(({ href }) => href);
  return { ...emptyResult, follow: context.depth < maxSitemapDepth ? further : [], role: "sitemap" };
}
