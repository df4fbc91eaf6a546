import { digest } from "../../core/digest.ts";
import { pluralize } from "../../core/pluralize.ts";
import { describeProblems } from "../../core/schema-problems.ts";
import type { FeedEntry } from "../../metadata/feed/feed-entry.ts";
import type { RunContext } from "../../runs/completion.ts";
import { type NewRequest, outboundRequest } from "../../web/gate/request.ts";
import type { RequestPolicy } from "../request-policy.ts";

/** What a reader can claim and send of one listing in its time. */
const maxRequests = 9_999;

/** Ten requests go into one batch, and SQS takes 256 KiB in one. */
const maxRequestBytes = 24_000;

interface ArticleRequests {
  requests: NewRequest[];
  /** Entries that cannot be asked for, with the reason. */
  dropped: { entry: string; reason: string }[];
}

/** The id of the request for an article, and of the document that comes of it: the same wherever the article is found. */
export function articleId(runId: string, sourceId: string, url: string): string {
  return digest(runId, sourceId, "article", url);
}

/** An article of which nothing but its address is known. */
export function entryFromUrl(url: string): FeedEntry {
  return { id: url, url, creators: [], keywords: [] };
}

const deferredReason = "left to the next run: the list is very long";

/** So many articles that a list has beyond what is asked for, as an entry of those that are dropped; none when there are none. */
export function describeDeferred(count: number): ArticleRequests["dropped"] {
  return count === 0 ? [] : [{ entry: pluralize(count, "more article"), reason: deferredReason }];
}

/**
 * Drafts the request for the page of each entry, in the order of the entries. Entries beyond what one listing can ask for
 * are left to the next run, which finds the first ones delivered.
 * @param runContextOf where an entry's article is counted
 */
export function buildArticleRequests(
  entries: FeedEntry[],
  runContextOf: (entry: FeedEntry) => RunContext,
  requestPolicy: RequestPolicy,
): ArticleRequests {
  const drafts: ArticleRequests = { requests: [], dropped: [] };
  for (const entry of entries) {
    const at = runContextOf(entry);
    const request: NewRequest = {
      id: articleId(at.runId, at.sourceId, entry.url),
      kind: "article",
      url: entry.url,
      ...requestPolicy,
      context: { ...at, entry },
    };
    const reason = drafts.requests.length >= maxRequests ? deferredReason : findProblem(request);
    if (reason === undefined) drafts.requests.push(request);
    else drafts.dropped.push({ entry: entry.url.slice(0, 200), reason });
  }
  return drafts;
}

function findProblem(request: NewRequest): string | undefined {
  const { error } = outboundRequest.safeParse(request);
  if (error !== undefined) return describeProblems(error);
  const bytes = Buffer.byteLength(JSON.stringify(request));
  return bytes > maxRequestBytes
    ? `its metadata take ${bytes} bytes, more than ${maxRequestBytes}`
    : undefined;
}
