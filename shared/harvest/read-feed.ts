import { z } from "zod";
import { inputErrorOf } from "../core/problems.ts";
import type { ArchiveStore, BodyStore, Requests, RunStore, SourceStore, StageQueue } from "../ports.ts";
import { describeMiss, type InboundResponse, type NewRequest } from "../web/request.ts";
import { archiveKeys } from "./archive-keys.ts";
import { draftArticleRequests } from "./article-requests.ts";
import { closeRequest } from "./completion.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";
import { readFeed } from "./feed/read-feed.ts";
import { acceptsDocuments, failedSource, type Run, type RunMode, type SourceOutcome } from "./run.ts";

/** Of what a feed lists in vain; the outcome is one item of at most 400 KB. */
const droppedKept = 100;

const feedContext = z.object({ runId: z.string(), sourceId: z.string() });

export interface ReadFeedPorts {
  sources: SourceStore;
  runs: RunStore;
  archive: ArchiveStore;
  bodies: BodyStore;
  requests: Requests;
  delivery: StageQueue;
}

/**
 * Reads the answer to a request for a feed: asks for the page of each entry that was not delivered before, and notes how
 * the source fared.
 */
export async function readFeedResponse(response: InboundResponse, ports: ReadFeedPorts): Promise<void> {
  const { request } = response;
  const context = feedContext.safeParse(request.context);
  if (!context.success) throw inputErrorOf(context.error, request.context);
  const { runId, sourceId } = context.data;
  const run = await ports.runs.get(runId);
  if (!acceptsDocuments(run)) return;
  const title = (await ports.sources.source(sourceId))?.title ?? sourceId;

  const { outcome, requests } = await listArticles(response, { run, sourceId, title }, ports);
  await ports.runs.saveSource(runId, outcome);
  await closeRequest({ id: request.id, runId, sourceId, opened: requests.map(({ id }) => id) }, ports);
  await ports.requests.send(requests);
}

interface Listing {
  outcome: SourceOutcome;
  requests: NewRequest[];
}

async function listArticles(
  { request, outcome }: InboundResponse,
  source: { run: Run; sourceId: string; title: string },
  ports: ReadFeedPorts,
): Promise<Listing> {
  const { sourceId, title } = source;
  const { runId, deliveryMode } = source.run;
  const failed = (reason: string): Listing => ({
    outcome: failedSource({ sourceId, title }, reason),
    requests: [],
  });
  if (outcome.type !== "answered" || outcome.status !== 200) return failed(describeMiss(outcome));
  const bytes = outcome.bodyKey === undefined ? new Uint8Array() : await ports.bodies.body(outcome.bodyKey);
  const contentType = outcome.headers["content-type"];
  const feed = readFeed(bytes, { url: outcome.url, ...(contentType !== undefined && { contentType }) });
  if (feed.type === "not-a-feed") return failed(`${outcome.url} is no feed (${feed.reason}): ${feed.detail}`);

  const entries = distinct(feed.entries);
  const fresh = await undelivered(entries, deliveryMode, ports.archive);
  const { requests, dropped: unsendable } = draftArticleRequests(fresh, { runId, sourceId }, request);
  const dropped = [
    ...feed.dropped.map(({ index, reason }) => ({ entry: `entry ${index + 1}`, reason })),
    ...unsendable,
  ];
  return {
    outcome: {
      sourceId,
      title,
      state: "read",
      ...(feed.lenient && { reason: `read leniently: ${feed.strictProblem ?? "not well-formed"}` }),
      entries: feed.entries.length + feed.dropped.length,
      known: entries.length - fresh.length,
      requested: requests.length,
      dropped: shortened(dropped),
    },
    requests,
  };
}

function shortened(dropped: SourceOutcome["dropped"]): SourceOutcome["dropped"] {
  if (dropped.length <= droppedKept) return dropped;
  const rest = { entry: `${dropped.length - droppedKept} more entries`, reason: "not asked for either" };
  return [...dropped.slice(0, droppedKept), rest];
}

/** A feed may list an article twice; the first counts. */
function distinct(entries: FeedEntry[]): FeedEntry[] {
  const byUrl = new Map<string, FeedEntry>();
  for (const entry of entries) if (!byUrl.has(entry.url)) byUrl.set(entry.url, entry);
  return [...byUrl.values()];
}

async function undelivered(entries: FeedEntry[], mode: RunMode, archive: ArchiveStore): Promise<FeedEntry[]> {
  const keyed = entries.map((entry) => ({
    entry,
    keys: archiveKeys({ doi: entry.doi, urls: [entry.url] }, mode),
  }));
  const known = await archive.known(keyed.flatMap(({ keys }) => keys));
  return keyed.filter(({ keys }) => !keys.some((key) => known.has(key))).map(({ entry }) => entry);
}
