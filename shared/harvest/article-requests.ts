import { digest } from "../core/digest.ts";
import { describeProblems } from "../core/problems.ts";
import { type NewRequest, outboundRequest } from "../web/request.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";

/** A run's tally holds the ids of a source's requests in one item: 10 000 of them stay below DynamoDB's 400 KB. */
const mostRequests = 9_999;

/** Ten requests go into one batch, and SQS takes 256 KiB in one. */
const mostBytes = 24_000;

interface Drafts {
  requests: NewRequest[];
  /** Entries that cannot be asked for, with the reason. */
  dropped: { entry: string; reason: string }[];
}

/**
 * Drafts the request for the page of each entry, in the feed's order. Entries beyond what one run can count are left to
 * the next one, which finds the first ones delivered.
 * @param from the request for the feed, whose manners the articles share
 */
export function draftArticleRequests(
  entries: FeedEntry[],
  { runId, sourceId }: { runId: string; sourceId: string },
  from: Pick<NewRequest, "throttleMs" | "userAgent" | "obeyRobots">,
): Drafts {
  const drafts: Drafts = { requests: [], dropped: [] };
  for (const entry of entries) {
    const request: NewRequest = {
      id: digest(runId, sourceId, "article", entry.url),
      kind: "article",
      url: entry.url,
      ...(from.throttleMs !== undefined && { throttleMs: from.throttleMs }),
      ...(from.userAgent !== undefined && { userAgent: from.userAgent }),
      ...(from.obeyRobots !== undefined && { obeyRobots: from.obeyRobots }),
      context: { runId, sourceId, entry: withoutSummary(entry) },
    };
    const reason =
      drafts.requests.length >= mostRequests
        ? "left to the next run: the feed is very long"
        : problemOf(request);
    if (reason === undefined) drafts.requests.push(request);
    else drafts.dropped.push({ entry: entry.url.slice(0, 200), reason });
  }
  return drafts;
}

/** The summary may be the whole article; the page has the abstract. */
function withoutSummary({ summary: _summary, ...entry }: FeedEntry): Omit<FeedEntry, "summary"> {
  return entry;
}

function problemOf(request: NewRequest): string | undefined {
  const { error } = outboundRequest.safeParse(request);
  if (error !== undefined) return describeProblems(error);
  const bytes = Buffer.byteLength(JSON.stringify(request));
  return bytes > mostBytes ? `its metadata take ${bytes} bytes, more than ${mostBytes}` : undefined;
}
