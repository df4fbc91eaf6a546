import { digest } from "../../shared/core/digest.ts";
import { parseFeed } from "../../shared/metadata/feed/parse-feed.ts";
import { group } from "../../shared/sources/group.ts";
import { settings } from "../../shared/sources/settings.ts";
import { type Source, source } from "../../shared/sources/source.ts";
import type { InboundResponse } from "../../shared/web/gate/response.ts";
import { feedSource, localGroup } from "../seed.ts";
import { findFeedLink } from "./find-feed-link.ts";
import type { InProcessGate } from "./in-process-gate.ts";

/** The configuration for harvesting a URL without a configured source. */
export const defaultConfiguration = { group: group.parse(localGroup), settings: settings.parse({}) };

interface DetectedSource {
  source: Source;
  firstResponse: InboundResponse;
  /** Set when the address is a page that offers this feed, which is harvested instead. */
  feedOfPage?: string;
}

/**
 * Fetches an address and decides whether it is a feed, an article's page, or a page that offers a feed, such as a
 * journal's home page. The harvest reuses the response.
 */
export async function detectSource(url: URL, gate: InProcessGate): Promise<DetectedSource> {
  const firstResponse = await fetchFeed(url, gate);
  const page = await readWebPage(firstResponse, gate);
  const feed = page && findFeedLink(page.body, page);
  if (feed === undefined) {
    const type = page === undefined ? ("RSS" as const) : ("DIRECT" as const);
    return { source: source.parse({ ...feedSource(url.href), type }), firstResponse };
  }
  const response = await fetchFeed(feed, gate);
  return { source: source.parse(feedSource(feed.href)), firstResponse: response, feedOfPage: feed.href };
}

function fetchFeed(url: URL, gate: InProcessGate): Promise<InboundResponse> {
  const { userAgent } = defaultConfiguration.group;
  return gate.fetch({ id: digest("detect source", url.href), kind: "feed", url: url.href, userAgent });
}

/** The page at an address; undefined when there is a feed, or no answer. */
async function readWebPage(
  { outcome }: InboundResponse,
  gate: InProcessGate,
): Promise<{ body: Uint8Array; url: string; contentType: string | undefined } | undefined> {
  if (outcome.type !== "answered" || outcome.status !== 200 || outcome.bodyKey === undefined)
    return undefined;
  const body = await gate.load(outcome.bodyKey);
  const reading = parseFeed(body, { url: outcome.url });
  if (reading.type !== "not-a-feed" || reading.reason !== "html") return undefined;
  return { body, url: outcome.url, contentType: outcome.headers["content-type"] };
}
