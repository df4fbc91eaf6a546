import { digest } from "../../core/digest.ts";
import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import { withoutTrackingParameters } from "../../identifiers/tracking-parameters.ts";
import { archiveModeOf, buildArchiveKeys } from "../../records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import { countKnownReasons, findKnownReason, type KnownReason } from "../../records/archive/known-reason.ts";
import { tallyPartId } from "../../records/runs/completion.ts";
import type { ListingResult } from "../../records/runs/listing-result.ts";
import type { Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { StageQueue } from "../../records/runs/stages.ts";
import type { NewRequest, RequestQueue } from "../../web/request/request.ts";
import type { RequestPolicy } from "../request-policy.ts";
import { buildArticleRequests } from "./article-requests.ts";
import { claimPolledArticles } from "./poll-claims.ts";

/** An entry that is not requested because the archive knows it. */
interface KnownEntry {
  entry: FeedEntry;
  reason: KnownReason;
}

/** A listing whose entries are selected. */
export interface ListingContext {
  run: Run;
  sourceId: string;
  title: string;
  /** The id of the request whose response is the listing. */
  listingId: string;
  requestPolicy: RequestPolicy;
  /**
   * Set when the source's listings share links, as crawled pages do. A known article is then counted only in the first
   * listing.
   */
  sharesLinks?: boolean;
  /** Set when the entry is a page that may itself list articles, so that each poll requests it. */
  isListing?: boolean;
}

export interface ListingPorts {
  runs: RunStore;
  archive: Pick<ArchiveStore, "knownReasons">;
  requests: RequestQueue;
  delivery: StageQueue;
}

/**
 * Selects the entries to request. Each article is selected once. Articles in the archive, and articles that another
 * listing of the run has claimed, are not selected.
 */
export async function selectArticles(
  entries: FeedEntry[],
  { run, sourceId, title, listingId, requestPolicy, sharesLinks = false, isListing = false }: ListingContext,
  { runs, archive }: Pick<ListingPorts, "runs" | "archive">,
): Promise<ListingResult> {
  const { runId } = run;
  const distinct = dedupeEntries(entries);
  const { fresh, known } = await splitByArchive(distinct, run, archive);
  const firstSeen = sharesLinks ? await claimFirstSeen(known, { runId, sourceId, listingId }, runs) : known;
  const unpolled = isListing
    ? fresh
    : await claimPolledArticles(fresh, { run, sourceId, claimant: listingId }, runs);
  const selected = run.newest === undefined ? unpolled : newestFirst(unpolled).slice(0, run.newest);
  const positions = new Map(distinct.map(({ url }, position) => [url, position]));
  const runContextOf = ({ url }: FeedEntry) => ({
    runId,
    sourceId,
    part: tallyPartId(listingId, positions.get(url) ?? 0, { crawl: sharesLinks }),
  });
  const drafts = buildArticleRequests(selected, runContextOf, requestPolicy);
  const articleRequests = await claimNewRequests(drafts.requests, { runId, sourceId, listingId }, runs);
  return {
    outcome: {
      sourceId,
      title,
      state: "read",
      // An article is counted in only one listing; all other listings subtract it.
      entries:
        distinct.length -
        (known.length - firstSeen.length) -
        (fresh.length - unpolled.length) -
        (drafts.requests.length - articleRequests.length),
      known: countKnownReasons(firstSeen.map(({ reason }) => reason)),
      requested: articleRequests.length,
      dropped: drafts.dropped,
    },
    articleRequests,
    listingRequests: [],
  };
}

/** Returns the requests that no other listing of the run has claimed. */
export async function claimNewRequests(
  requests: NewRequest[],
  { runId, sourceId, listingId }: { runId: string; sourceId: string; listingId: string },
  runs: RunStore,
): Promise<NewRequest[]> {
  if (requests.length === 0) return [];
  const ids = requests.map(({ id }) => id);
  const claimed = await runs.claimRequests(runId, sourceId, { ids, claimant: listingId });
  return requests.filter(({ id }) => claimed.has(id));
}

/**
 * Sorts the entries by date if all of them have a date; otherwise assumes that the list begins with the newest entry.
 */
function newestFirst(entries: FeedEntry[]): FeedEntry[] {
  const dated = entries.map((entry) => ({ entry, ms: Date.parse(entry.publishedIso ?? "") }));
  if (dated.some(({ ms }) => Number.isNaN(ms))) return entries;
  return dated.toSorted((a, b) => b.ms - a.ms).map(({ entry }) => entry);
}

/** Keeps one entry per article: the first, or the one whose URL has no tracking parameters. */
function dedupeEntries(entries: FeedEntry[]): FeedEntry[] {
  const byUrl = new Map<string, FeedEntry>();
  for (const entry of entries) {
    const url = withoutTrackingParameters(entry.url);
    if (!byUrl.has(url) || (entry.url === url && byUrl.get(url)?.url !== url)) {
      byUrl.set(url, entry);
    }
  }
  return [...byUrl.values()];
}

async function splitByArchive(
  entries: FeedEntry[],
  run: Run,
  archive: ListingPorts["archive"],
): Promise<{ fresh: FeedEntry[]; known: KnownEntry[] }> {
  const keyed = entries.map((entry) => ({
    entry,
    keys: buildArchiveKeys({ doi: entry.doi, urls: [entry.url] }, archiveModeOf(run)),
  }));
  const known = await archive.knownReasons(keyed.flatMap(({ keys }) => keys));
  const checked = keyed.map(({ entry, keys }) => ({ entry, reason: findKnownReason(keys, known) }));
  return {
    fresh: checked.filter(({ reason }) => reason === undefined).map(({ entry }) => entry),
    known: checked.flatMap(({ entry, reason }) => (reason === undefined ? [] : [{ entry, reason }])),
  };
}

/** Returns the known entries that no other listing of the run has claimed. */
async function claimFirstSeen(
  known: KnownEntry[],
  { runId, sourceId, listingId }: { runId: string; sourceId: string; listingId: string },
  runs: RunStore,
): Promise<KnownEntry[]> {
  if (known.length === 0) return [];
  const identified = known.map((one) => ({ one, id: digest(runId, sourceId, "known", one.entry.url) }));
  const ids = identified.map(({ id }) => id);
  const claimed = await runs.claimRequests(runId, sourceId, { ids, claimant: listingId });
  return identified.filter(({ id }) => claimed.has(id)).map(({ one }) => one);
}
