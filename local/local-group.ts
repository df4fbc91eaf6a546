import { createHash } from "node:crypto";
import type { NewGroup } from "../shared/records/sources/group.ts";
import type { NewSource } from "../shared/records/sources/source.ts";
import { resolveUserAgent } from "./user-agent.ts";

/** The group of all local sources. */
export const localGroup: NewGroup = {
  groupId: "Ingather",
  isil: "XX-INGATHER",
  /** Read on use, so that a wrong cdk.json is reported like any wrong option. */
  get userAgent() {
    return resolveUserAgent(undefined, "local");
  },
  outputFolder: "ingather",
};

/**
 * Returns a source for a feed from the command line. Its title is its URL until articles name their journal.
 */
export function feedSource(feedUrl: string): NewSource {
  const url = new URL(feedUrl);
  const host = url.hostname.toLowerCase().replaceAll(/[^a-z0-9.-]/g, "");
  const mark = createHash("sha256").update(url.href).digest("hex").slice(0, 8);
  return {
    sourceId: `feed-${host}-${mark}`,
    title: url.href,
    type: "RSS",
    url: url.href,
    groupId: localGroup.groupId,
    deliveryMode: "LIVE",
  };
}
