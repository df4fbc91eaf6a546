import { buildArchiveKeys } from "../../archive/archive-keys.ts";
import type { ArchiveStore } from "../../archive/archive-store.ts";
import { countKnownReasons, findKnownReason, type KnownReason } from "../../archive/known-reason.ts";
import { digest } from "../../core/digest.ts";
import { withoutTrackingParameters } from "../../identifiers/tracking-parameters.ts";
import type { FeedEntry } from "../../metadata/feed/feed-entry.ts";
import { tallyPartId } from "../../runs/completion.ts";
import type { ListingResult } from "../../runs/listing-result.ts";
import type { Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { StageQueue } from "../../runs/stages.ts";
import type { NewRequest, RequestQueue } from "../../web/gate/request.ts";
import type { RequestPolicy } from "../request-policy.ts";
import { buildArticleRequests } from "./article-requests.ts";

/** An entry that the archive keeps from being asked for. */
interface KnownEntry {
  entry: FeedEntry;
  reason: KnownReason;
}

/** What is known of a listing when its entries have been read. */
export interface ListingContext {
  run: Run;
  sourceId: string;
  title: string;
  /** The request whose answer the listing is. */
  listingId: string;
  requestPolicy: RequestPolicy;
  /** It is one of many that have links in common: what the archive knows is counted where it is met first. */
  sharesLinks?: boolean;
}

export interface ListingPorts {
  runs: RunStore;
  archive: Pick<ArchiveStore, "knownReasons">;
  requests: RequestQueue;
  delivery: StageQueue;
}

/**
 * Chooses of the entries those that are to be asked for: each once, none that the archive knows, none that another
 * listing of the run has led to.
 */
export async function selectArticles(
  entries: FeedEntry[],
  { run, sourceId, title, listingId, requestPolicy, sharesLinks = false }: ListingContext,
  { runs, archive }: Pick<ListingPorts, "runs" | "archive">,
): Promise<ListingResult> {
  const { runId } = run;
  const distinct = dedupeEntries(entries);
  const { fresh, known } = await splitByArchive(distinct, run, archive);
  const firstSeen = sharesLinks ? await claimFirstSeen(known, { runId, sourceId, listingId }, runs) : known;
  const wanted = run.newest === undefined ? fresh : newestFirst(fresh).slice(0, run.newest);
  const places = new Map(distinct.map(({ url }, place) => [url, place]));
  const countedAt = ({ url }: FeedEntry) => ({
    runId,
    sourceId,
    part: tallyPartId(listingId, places.get(url) ?? 0),
  });
  const drafts = buildArticleRequests(wanted, countedAt, requestPolicy);
  const articleRequests = await claimNewRequests(drafts.requests, { runId, sourceId, listingId }, runs);
  return {
    outcome: {
      sourceId,
      title,
      state: "read",
      // Each article once in all listings: what is not counted here is on another one.
      entries:
        distinct.length -
        (known.length - firstSeen.length) -
        (drafts.requests.length - articleRequests.length),
      known: countKnownReasons(firstSeen.map(({ reason }) => reason)),
      requested: articleRequests.length,
      dropped: drafts.dropped,
    },
    articleRequests,
    listingRequests: [],
  };
}

/** Those of the requests that no other listing of the run has led to. */
export async function claimNewRequests(
  requests: NewRequest[],
  { runId, sourceId, listingId }: { runId: string; sourceId: string; listingId: string },
  runs: RunStore,
): Promise<NewRequest[]> {
  if (requests.length === 0) return [];
  const ids = requests.map(({ id }) => id);
  const mine = await runs.claimRequests(runId, sourceId, { ids, claimant: listingId });
  return requests.filter(({ id }) => mine.has(id));
}

/** By their dates where all have one; a list without is taken to begin with the newest. */
function newestFirst(entries: FeedEntry[]): FeedEntry[] {
  const dated = entries.map((entry) => ({ entry, ms: Date.parse(entry.publishedIso ?? "") }));
  if (dated.some(({ ms }) => Number.isNaN(ms))) return entries;
  return dated.toSorted((a, b) => b.ms - a.ms).map(({ entry }) => entry);
}

/** A list may name an article twice; the first counts, but one without parameters that track its readers before any with. */
function dedupeEntries(entries: FeedEntry[]): FeedEntry[] {
  const byAddress = new Map<string, FeedEntry>();
  for (const entry of entries) {
    const address = withoutTrackingParameters(entry.url);
    if (!byAddress.has(address) || (entry.url === address && byAddress.get(address)?.url !== address)) {
      byAddress.set(address, entry);
    }
  }
  return [...byAddress.values()];
}

async function splitByArchive(
  entries: FeedEntry[],
  run: Run,
  archive: ListingPorts["archive"],
): Promise<{ fresh: FeedEntry[]; known: KnownEntry[] }> {
  const keyed = entries.map((entry) => ({
    entry,
    keys: buildArchiveKeys({ doi: entry.doi, urls: [entry.url] }, run.deliveryMode),
  }));
  const known = await archive.knownReasons(keyed.flatMap(({ keys }) => keys));
  const judged = keyed.map(({ entry, keys }) => ({ entry, reason: findKnownReason(keys, known) }));
  return {
    fresh: judged.filter(({ reason }) => reason === undefined).map(({ entry }) => entry),
    known: judged.flatMap(({ entry, reason }) => (reason === undefined ? [] : [{ entry, reason }])),
  };
}

/** Those that no other listing of the run has met before. */
async function claimFirstSeen(
  known: KnownEntry[],
  { runId, sourceId, listingId }: { runId: string; sourceId: string; listingId: string },
  runs: RunStore,
): Promise<KnownEntry[]> {
  if (known.length === 0) return [];
  const identified = known.map((one) => ({ one, id: digest(runId, sourceId, "known", one.entry.url) }));
  const ids = identified.map(({ id }) => id);
  const mine = await runs.claimRequests(runId, sourceId, { ids, claimant: listingId });
  return identified.filter(({ id }) => mine.has(id)).map(({ one }) => one);
}
