import type { LinkResult } from "../../../../../shared/links/check/check-links.ts";
import type { LinkTask } from "../../../../../shared/links/check/link-task.ts";
import type { LinkRule } from "../../../../../shared/links/rule/rule.ts";
import type { LinkClientSettings } from "../link-client.ts";

/** What a thread works with. */
export interface ThreadSettings extends LinkClientSettings {
  rule: LinkRule;
  userAgent: string;
  /** Hosts that this thread requests at once. */
  concurrency: number;
  threads: number;
  urls: readonly string[];
}

/**
 * What a thread is sent. `start` comes first. `link`: a redirect leads to a host of it. `read`: the number of its
 * results that were read. `end`: all links have results. `abort`: start nothing more.
 */
export type ToThread =
  | { type: "start"; settings: ThreadSettings }
  | { type: "link"; link: LinkTask }
  | { type: "read"; count: number }
  | { type: "end" }
  | { type: "abort" };

/** What a thread sends. `leaving`: links whose redirects lead to hosts that it does not serve. */
export type FromThread =
  | { type: "results"; results: LinkResult[]; leaving: LinkTask[] }
  | { type: "ended"; error?: unknown };
