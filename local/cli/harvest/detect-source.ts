import { digest } from "../../../shared/core/digest.ts";
import { type Recognised, recognise } from "../../../shared/harvest/detect/recognise.ts";
import { type Group, group } from "../../../shared/records/sources/group.ts";
import { type Settings, settings } from "../../../shared/records/sources/settings.ts";
import { type Source, source } from "../../../shared/records/sources/source.ts";
import type { InboundResponse } from "../../../shared/web/request/response.ts";
import { feedSource, localGroup } from "../../local-group.ts";
import type { InProcessGate } from "./in-process-gate.ts";

interface DefaultConfiguration {
  group: Group;
  settings: Settings;
}

/**
 * Returns the configuration for harvesting a URL without a configured source.
 * @throws ConfigError when cdk.json, which may set the User-Agent, is not JSON
 */
export function defaultConfiguration(): DefaultConfiguration {
  return { group: group.parse(localGroup), settings: settings.parse({}) };
}

/** The maximum number of feeds of a page that are tried. */
const maxFeeds = 3;

interface DetectedSource {
  source: Source;
  firstResponse: InboundResponse;
  /** The URL of the feed that is harvested, if the address is a page that offers this feed. */
  feedOfPage?: string;
}

/**
 * Fetches an address and decides whether it is a feed, an article's page, or a page that offers a feed, such
 * as a journal's home page. The harvest reuses the response.
 */
export async function detectSource(
  url: URL,
  { gate, userAgent }: { gate: InProcessGate; userAgent: string },
): Promise<DetectedSource> {
  const fetchFeed = (feed: URL) =>
    gate.fetch({ id: digest("detect source", feed.href), kind: "feed", url: feed.href, userAgent });
  const firstResponse = await fetchFeed(url);
  const found = await recogniseResponse(firstResponse, gate);
  for (const feed of found?.type === "page" ? found.lists.slice(0, maxFeeds) : []) {
    const response = await fetchFeed(feed);
    if ((await recogniseResponse(response, gate))?.type !== "feed") continue;
    return { source: source.parse(feedSource(feed.href)), firstResponse: response, feedOfPage: feed.href };
  }
  const isPage = found?.type === "page" || found?.type === "article";
  const type = isPage ? ("DIRECT" as const) : ("RSS" as const);
  return { source: source.parse({ ...feedSource(url.href), type }), firstResponse };
}

/** Recognises a response. @returns undefined if there is no response to read */
async function recogniseResponse(
  { outcome }: InboundResponse,
  gate: InProcessGate,
): Promise<Recognised | undefined> {
  if (outcome.type !== "answered" || outcome.status !== 200 || outcome.bodyKey === undefined)
    return undefined;
  const bytes = await gate.load(outcome.bodyKey);
  return recognise(bytes, { url: outcome.url, contentType: outcome.headers["content-type"] });
}
