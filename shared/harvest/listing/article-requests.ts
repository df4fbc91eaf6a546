import { digest } from "../../core/digest.ts";
import { pluralize } from "../../core/pluralize.ts";
import { describeProblems } from "../../core/schema-problems.ts";
import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import type { RunContext } from "../../records/runs/completion.ts";
import { type NewRequest, outboundRequest } from "../../web/request/request.ts";
import type { RequestPolicy } from "../request-policy.ts";

/** The maximum number of requests that a reader can claim and send for one listing within its timeout. */
const maxRequests = 9_999;

/** The maximum size of a request. SQS takes 256 KiB per batch, and a batch contains ten requests. */
const maxRequestBytes = 24_000;

interface ArticleRequests {
  requests: NewRequest[];
  /** The entries that are not requested, with the reason. */
  dropped: { entry: string; reason: string }[];
}

/**
 * Returns the id of an article's request, which is also the id of its outcome. It is the same wherever the run finds
 * the article.
 */
export function articleId(runId: string, sourceId: string, url: string): string {
  return digest(runId, sourceId, "article", url);
}

/** Returns an entry of which only the URL is known. */
export function entryFromUrl(url: string): FeedEntry {
  return { id: url, url, creators: [], keywords: [] };
}

const deferredReason = "deferred to the next run: the list is very long";

/** Describes articles beyond the limit, as one entry of `dropped`. Returns no entry for a count of 0. */
export function describeDeferred(count: number): ArticleRequests["dropped"] {
  return count === 0 ? [] : [{ entry: pluralize(count, "more article"), reason: deferredReason }];
}

/**
 * Builds the request for the page of each entry, in the order of the entries. Entries beyond the limit are deferred:
 * the next run requests them, because it finds the first ones in the archive.
 * @param runContextOf returns the tally in which an entry's article is counted
 */
export function buildArticleRequests(
  entries: FeedEntry[],
  runContextOf: (entry: FeedEntry) => RunContext,
  requestPolicy: RequestPolicy,
): ArticleRequests {
  const built: ArticleRequests = { requests: [], dropped: [] };
  for (const entry of entries) {
    const at = runContextOf(entry);
    const request: NewRequest = {
      id: articleId(at.runId, at.sourceId, entry.url),
      kind: "article",
      url: entry.url,
      ...requestPolicy,
      context: { ...at, entry },
    };
    const reason = built.requests.length >= maxRequests ? deferredReason : findProblem(request);
    if (reason === undefined) built.requests.push(request);
    else built.dropped.push({ entry: entry.url.slice(0, 200), reason });
  }
  return built;
}

function findProblem(request: NewRequest): string | undefined {
  const { error } = outboundRequest.safeParse(request);
  if (error !== undefined) return describeProblems(error);
  const bytes = Buffer.byteLength(JSON.stringify(request));
  return bytes > maxRequestBytes
    ? `its metadata take ${bytes} bytes, more than ${maxRequestBytes}`
    : undefined;
}
