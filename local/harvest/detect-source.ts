import { digest } from "../../shared/core/digest.ts";
import { parseFeed } from "../../shared/metadata/feed/parse-feed.ts";
import { group } from "../../shared/sources/group.ts";
import { settings } from "../../shared/sources/settings.ts";
import { type Source, source } from "../../shared/sources/source.ts";
import type { InboundResponse } from "../../shared/web/gate/response.ts";
import { feedSource, localGroup } from "../seed.ts";
import type { InProcessGate } from "./in-process-gate.ts";

/** The configuration for harvesting a URL without a configured source. */
export const defaultConfiguration = { group: group.parse(localGroup), settings: settings.parse({}) };

/** Fetches an address and decides whether it is a feed or a page; the harvest reuses the response. */
export async function detectSource(
  url: URL,
  gate: InProcessGate,
): Promise<{ source: Source; firstResponse: InboundResponse }> {
  const { userAgent } = defaultConfiguration.group;
  const firstResponse = await gate.fetch({
    id: digest("detect source", url.href),
    kind: "feed",
    url: url.href,
    userAgent,
  });
  const isPage = await isWebPage(firstResponse, gate);
  return {
    source: source.parse({ ...feedSource(url.href), type: isPage ? "DIRECT" : "RSS" }),
    firstResponse,
  };
}

async function isWebPage({ outcome }: InboundResponse, gate: InProcessGate): Promise<boolean> {
  if (outcome.type !== "answered" || outcome.status !== 200 || outcome.bodyKey === undefined) return false;
  const reading = parseFeed(await gate.load(outcome.bodyKey), { url: outcome.url });
  return reading.type === "not-a-feed" && reading.reason === "html";
}
