import { digest } from "../core/digest.ts";
import { inParallel } from "../core/in-parallel.ts";
import type { ArchiveStore, Requests, RunStore, StageQueue } from "../ports.ts";
import type { NewRequest } from "../web/gate/request.ts";
import { archiveKeys } from "./archive-keys.ts";
import { draftArticleRequests, type Manners } from "./article-requests.ts";
import { type Counted, closeRequest, openPart, partOf } from "./completion.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";
import { countReasons, type KnownReason, reasonOf } from "./known.ts";
import { failedSource, type Run, type SourceOutcome } from "./run.ts";
import { shortened } from "./source-outcome.ts";
import { withoutTracking } from "./tracking.ts";

/** Of the parts that a listing's articles are counted in. */
const partsAtOnce = 8;

/** What a listing, as a feed or a crawled page, has led to. */
export interface Listing {
  outcome: SourceOutcome;
  articles: NewRequest[];
  /** Further listings. */
  pages: NewRequest[];
}

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
  manners: Manners;
  /** It is one of many that have links in common: what the archive knows is counted where it is met first. */
  isOneOfMany?: boolean;
}

export interface ListingPorts {
  runs: RunStore;
  archive: Pick<ArchiveStore, "known">;
  requests: Requests;
  delivery: StageQueue;
}

/**
 * Chooses of the entries those that are to be asked for: each once, none that the archive knows, none that another
 * listing of the run has led to.
 */
export async function listArticles(
  entries: FeedEntry[],
  { run, sourceId, title, listingId, manners, isOneOfMany = false }: ListingContext,
  { runs, archive }: Pick<ListingPorts, "runs" | "archive">,
): Promise<Listing> {
  const { runId } = run;
  const distinct = distinctEntries(entries);
  const { fresh, known } = await undelivered(distinct, run, archive);
  const metFirst = isOneOfMany ? await firstMet(known, { runId, sourceId, listingId }, runs) : known;
  const wanted = run.newest === undefined ? fresh : newestFirst(fresh).slice(0, run.newest);
  const places = new Map(distinct.map(({ url }, place) => [url, place]));
  const countedAt = ({ url }: FeedEntry) => ({
    runId,
    sourceId,
    part: partOf(listingId, places.get(url) ?? 0),
  });
  const drafts = draftArticleRequests(wanted, countedAt, manners);
  const articles = await claimed(drafts.requests, { runId, sourceId, listingId }, runs);
  return {
    outcome: {
      sourceId,
      title,
      state: "read",
      // Each article once in all listings: what is not counted here is on another one.
      entries:
        distinct.length - (known.length - metFirst.length) - (drafts.requests.length - articles.length),
      known: countReasons(metFirst.map(({ reason }) => reason)),
      requested: articles.length,
      dropped: drafts.dropped,
    },
    articles,
    pages: [],
  };
}

/** A listing that names no articles. */
export function emptyListing({ sourceId, title }: { sourceId: string; title: string }): Listing {
  const outcome = {
    sourceId,
    title,
    state: "read" as const,
    entries: 0,
    known: {},
    requested: 0,
    dropped: [],
  };
  return { outcome, articles: [], pages: [] };
}

/** A listing that could not be read. */
export function failedListing(
  { sourceId, title }: { sourceId: string; title: string },
  reason: string,
): Listing {
  return { outcome: failedSource({ sourceId, title }, reason), articles: [], pages: [] };
}

/** Those of the requests that no other listing of the run has led to. */
export async function claimed(
  requests: NewRequest[],
  { runId, sourceId, listingId }: { runId: string; sourceId: string; listingId: string },
  runs: RunStore,
): Promise<NewRequest[]> {
  if (requests.length === 0) return [];
  const ids = requests.map(({ id }) => id);
  const mine = await runs.claimRequests(runId, sourceId, { ids, claimant: listingId });
  return requests.filter(({ id }) => mine.has(id));
}

/**
 * Settles what a listing leads to, notes it in its run and sends it. Who repeats this goes on from what was settled: the
 * archive, the clock and the run's other listings may by then lead to something else, and what was noted would not be sent.
 */
export async function concludeListing(
  list: () => Promise<Listing>,
  request: Counted & { id: string; run: Run },
  ports: ListingPorts,
): Promise<void> {
  const { runId, sourceId, id, run } = request;
  const settled = await ports.runs.settledListing(runId, sourceId, id);
  const { articles, pages: further } = settled ?? (await settle(await list(), { runId, id }, ports));
  const pages = articles.length >= (run.newest ?? Number.POSITIVE_INFINITY) ? [] : further;
  const parts = Map.groupBy(articles, ({ context }) => String(context?.part));
  const idsOf = (requests: NewRequest[]) => requests.map((each) => each.id);
  await inParallel([...parts], partsAtOnce, ([part, requests]) =>
    openPart({ runId, sourceId, part, opened: idsOf(requests) }, ports),
  );
  const opened = [...idsOf(pages), ...parts.keys()];
  await closeRequest({ ...request, opened }, ports);
  await ports.requests.send([...pages, ...articles]);
}

function settle(
  listing: Listing,
  { runId, id }: { runId: string; id: string },
  { runs }: Pick<ListingPorts, "runs">,
): Promise<Listing> {
  const { outcome } = listing;
  const told = { ...outcome, dropped: shortened(outcome.dropped) };
  return runs.settleListing(runId, id, { ...listing, outcome: told });
}

/** By their dates where all have one; a list without is taken to begin with the newest. */
function newestFirst(entries: FeedEntry[]): FeedEntry[] {
  const dated = entries.map((entry) => ({ entry, ms: Date.parse(entry.publishedIso ?? "") }));
  if (dated.some(({ ms }) => Number.isNaN(ms))) return entries;
  return dated.toSorted((a, b) => b.ms - a.ms).map(({ entry }) => entry);
}

/** A list may name an article twice; the first counts, but one without parameters that track its readers before any with. */
function distinctEntries(entries: FeedEntry[]): FeedEntry[] {
  const byAddress = new Map<string, FeedEntry>();
  for (const entry of entries) {
    const address = withoutTracking(entry.url);
    if (!byAddress.has(address) || (entry.url === address && byAddress.get(address)?.url !== address)) {
      byAddress.set(address, entry);
    }
  }
  return [...byAddress.values()];
}

async function undelivered(
  entries: FeedEntry[],
  run: Run,
  archive: ListingPorts["archive"],
): Promise<{ fresh: FeedEntry[]; known: KnownEntry[] }> {
  const keyed = entries.map((entry) => ({
    entry,
    keys: archiveKeys({ doi: entry.doi, urls: [entry.url] }, run.deliveryMode),
  }));
  const known = await archive.known(keyed.flatMap(({ keys }) => keys));
  const judged = keyed.map(({ entry, keys }) => ({ entry, reason: reasonOf(keys, known) }));
  return {
    fresh: judged.filter(({ reason }) => reason === undefined).map(({ entry }) => entry),
    known: judged.flatMap(({ entry, reason }) => (reason === undefined ? [] : [{ entry, reason }])),
  };
}

/** Those that no other listing of the run has met before. */
async function firstMet(
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
