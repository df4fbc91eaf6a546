import { counted } from "../core/counted.ts";
import { digest } from "../core/digest.ts";
import { describeProblems } from "../core/problems.ts";
import type { Group } from "../sources/group.ts";
import type { Source } from "../sources/source.ts";
import { type NewRequest, outboundRequest } from "../web/gate/request.ts";
import type { Counted } from "./completion.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";
import type { Run } from "./run.ts";

/** What a reader can claim and send of one listing in its time. */
const mostRequests = 9_999;

/** Ten requests go into one batch, and SQS takes 256 KiB in one. */
const mostBytes = 24_000;

/** What the requests of a source have in common. */
export type Manners = Pick<NewRequest, "throttleMs" | "userAgent" | "obeyRobots" | "notAfter">;

interface Drafts {
  requests: NewRequest[];
  /** Entries that cannot be asked for, with the reason. */
  dropped: { entry: string; reason: string }[];
}

/** The id of the request for an article, and of the document that comes of it: the same wherever the article is found. */
export function articleId(runId: string, sourceId: string, url: string): string {
  return digest(runId, sourceId, "article", url);
}

/** An article of which nothing but its address is known. */
export function bareEntry(url: string): FeedEntry {
  return { id: url, url, creators: [], keywords: [] };
}

/** How the hosts of a source are asked in a run: not after its deadline, as nobody reads the answer then. */
export function mannersFor(
  source: Source,
  { userAgent }: Group,
  { deadlineAt }: Pick<Run, "deadlineAt">,
): Manners {
  const { throttleMs, obeyRobots } = source;
  return mannersOf({ throttleMs, userAgent, obeyRobots, notAfter: deadlineAt });
}

/** The manners of a request, for those that it leads to. */
export function mannersOf({ throttleMs, userAgent, obeyRobots, notAfter }: Manners): Manners {
  return {
    ...(throttleMs !== undefined && { throttleMs }),
    ...(userAgent !== undefined && { userAgent }),
    ...(obeyRobots !== undefined && { obeyRobots }),
    ...(notAfter !== undefined && { notAfter }),
  };
}

const leftToNextRun = "left to the next run: the list is very long";

/** So many articles that a list has beyond what is asked for, as an entry of those that are dropped; none when there are none. */
export function leftOver(count: number): Drafts["dropped"] {
  return count === 0 ? [] : [{ entry: counted(count, "more article"), reason: leftToNextRun }];
}

/**
 * Drafts the request for the page of each entry, in the order of the entries. Entries beyond what one listing can ask for
 * are left to the next run, which finds the first ones delivered.
 * @param countedAt where an entry's article is counted
 */
export function draftArticleRequests(
  entries: FeedEntry[],
  countedAt: (entry: FeedEntry) => Counted,
  manners: Manners,
): Drafts {
  const drafts: Drafts = { requests: [], dropped: [] };
  for (const entry of entries) {
    const at = countedAt(entry);
    const request: NewRequest = {
      id: articleId(at.runId, at.sourceId, entry.url),
      kind: "article",
      url: entry.url,
      ...manners,
      context: { ...at, entry },
    };
    const reason = drafts.requests.length >= mostRequests ? leftToNextRun : problemOf(request);
    if (reason === undefined) drafts.requests.push(request);
    else drafts.dropped.push({ entry: entry.url.slice(0, 200), reason });
  }
  return drafts;
}

function problemOf(request: NewRequest): string | undefined {
  const { error } = outboundRequest.safeParse(request);
  if (error !== undefined) return describeProblems(error);
  const bytes = Buffer.byteLength(JSON.stringify(request));
  return bytes > mostBytes ? `its metadata take ${bytes} bytes, more than ${mostBytes}` : undefined;
}
