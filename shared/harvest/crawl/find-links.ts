import type { Source } from "../../sources/source.ts";
import type { OutboundRequest } from "../../web/gate/request.ts";
import { describeMiss, isFound, type ResponseOutcome } from "../../web/gate/response.ts";
import { decodePage } from "../page/decode.ts";
import { chooseLinks } from "./choose-links.ts";
import { linksOf } from "./links.ts";
import type { CrawlContext } from "./page-requests.ts";
import { siteOf } from "./site.ts";
import { readSitemap, sitemapsIn } from "./sitemap.ts";

/** What a page of a crawl gives to go on with, or why it gives nothing. */
export type Found =
  | { type: "links"; harvest: string[]; follow: string[]; role: CrawlContext["role"] }
  /** Its turn came when the crawl's time was over. */
  | { type: "late" }
  | { type: "miss"; reason: string };

interface Asked {
  request: Pick<OutboundRequest, "url">;
  outcome: ResponseOutcome;
  context: CrawlContext;
  source: Source;
}

/** How deep indexes of sitemaps may be nested. */
const sitemapDepth = 3;

const nothing: Extract<Found, { type: "links" }> = { type: "links", harvest: [], follow: [], role: "page" };

/** @param bytes the body of the answer */
export function findLinks(asked: Asked, bytes: Uint8Array): Found {
  const { outcome, context } = asked;
  if (context.untilMs !== undefined && outcome.type === "refused" && outcome.reason === "too-late")
    return { type: "late" };
  switch (context.role) {
    case "page":
      return onPage(asked, bytes);
    case "robots":
      return inRobots(asked, bytes);
    case "sitemap":
      return inSitemap(asked, bytes);
  }
}

function onPage({ request, outcome, context, source }: Asked, bytes: Uint8Array): Found {
  if (!isFound(outcome)) return { type: "miss", reason: describeMiss(outcome) };
  const site = siteOf(new URL(outcome.url));
  // The source's own address may have moved; further pages may not.
  if (context.depth > 0 && site !== siteOf(new URL(request.url))) {
    return { type: "miss", reason: `${request.url} leads to another site, ${outcome.url}` };
  }
  const page = decodePage(bytes, outcome.headers["content-type"]);
  if (page.type === "no-text") {
    return { type: "miss", reason: `${outcome.url} is no web page (${page.reason}): ${page.detail}` };
  }
  const { harvest, follow } = chooseLinks(linksOf(page.text, outcome.url), site, source);
  return {
    type: "links",
    harvest,
    follow: context.depth < source.crawl.maxDepth ? follow : [],
    role: "page",
  };
}

/** The sitemaps that a robots.txt names; where it names none, the usual address may hold one. */
function inRobots({ request, outcome }: Asked, bytes: Uint8Array): Found {
  const isFile = isFound(outcome);
  const named = isFile ? sitemapsIn(new TextDecoder().decode(bytes)) : [];
  const follow = named.length > 0 ? named : [new URL("/sitemap.xml", request.url).href];
  return { ...nothing, follow, role: "sitemap" };
}

function inSitemap({ request, outcome, context, source }: Asked, bytes: Uint8Array): Found {
  // A site need not have one.
  if (outcome.type === "answered" && outcome.status === 404) return nothing;
  if (!isFound(outcome)) return { type: "miss", reason: describeMiss(outcome) };
  const sitemap = readSitemap(bytes, outcome.url);
  if (sitemap.type === "not-a-sitemap") {
    return { type: "miss", reason: `${outcome.url} is no sitemap: ${sitemap.detail}` };
  }
  const site = siteOf(new URL(request.url));
  if (sitemap.type === "pages") {
    return { ...nothing, harvest: chooseLinks(sitemap.urls, site, source).harvest };
  }
  const further = sitemap.urls.filter((url) => siteOf(url) === site).map(({ href }) => href);
  return { ...nothing, follow: context.depth < sitemapDepth ? further : [], role: "sitemap" };
}
