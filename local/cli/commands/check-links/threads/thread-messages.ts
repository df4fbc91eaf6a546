import type { LinkResult } from "../../../../../shared/links/check/check-links.ts";
import type { LinkTask } from "../../../../../shared/links/check/link-task.ts";
import type { LinkRule } from "../../../../../shared/links/rule/rule.ts";
import type { LinkClientSettings } from "../link-client.ts";

/** The settings of a thread. */
export interface ThreadSettings extends LinkClientSettings {
  rule: LinkRule;
  userAgent: string;
  /** The number of hosts that this thread requests in parallel. */
  concurrency: number;
  threads: number;
  urls: readonly string[];
}

/**
 * The messages to a thread.
 * - `start` is the first message.
 * - `link`: a redirect of another thread's link leads to one of its hosts.
 * - `read`: how many of its results were read.
 * - `end`: all links have results.
 * - `abort`: no further requests may be started.
 */
export type ToThread =
  | { type: "start"; settings: ThreadSettings }
  | { type: "link"; link: LinkTask }
  | { type: "read"; count: number }
  | { type: "end" }
  | { type: "abort" };

/** The messages from a thread. `leaving` lists links whose redirects lead to hosts of other threads. */
export type FromThread =
  | { type: "results"; results: LinkResult[]; leaving: LinkTask[] }
  | { type: "ended"; error?: unknown };
