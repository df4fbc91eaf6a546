import { digest } from "../../shared/core/digest.ts";
import { parseFeed } from "../../shared/metadata/feed/parse-feed.ts";
import { group } from "../../shared/sources/group.ts";
import { settings } from "../../shared/sources/settings.ts";
import { type Source, source } from "../../shared/sources/source.ts";
import type { InboundResponse } from "../../shared/web/gate/response.ts";
import { feedSource, localGroup } from "../seed.ts";
import type { InProcessGate } from "./in-process-gate.ts";

/** What an address is harvested by when nobody has configured it. */
export const defaultConfiguration = { group: group.parse(localGroup), settings: settings.parse({}) };

/** Finds out whether an address is a feed or a page, and gives the answer on, so that it need not be asked again. */
export async function detectSource(
  url: URL,
  gate: InProcessGate,
): Promise<{ source: Source; response: InboundResponse }> {
  const { userAgent } = defaultConfiguration.group;
  const response = await gate.fetch({
    id: digest("first look", url.href),
    kind: "feed",
    url: url.href,
    userAgent,
  });
  const isPage = await isWebPage(response, gate);
  return { source: source.parse({ ...feedSource(url.href), type: isPage ? "DIRECT" : "RSS" }), response };
}

async function isWebPage({ outcome }: InboundResponse, gate: InProcessGate): Promise<boolean> {
  if (outcome.type !== "answered" || outcome.status !== 200 || outcome.bodyKey === undefined) return false;
  const reading = parseFeed(await gate.load(outcome.bodyKey), { url: outcome.url });
  return reading.type === "not-a-feed" && reading.reason === "html";
}
