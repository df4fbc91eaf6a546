import { z } from "zod";
import { digest } from "../core/digest.ts";
import { inputErrorOf } from "../core/problems.ts";
import type { ArchiveStore, BodyStore, Requests, RunStore, SourceStore, StageQueue } from "../ports.ts";
import { describeMiss, type InboundResponse, type NewRequest } from "../web/request.ts";
import { archiveKeys } from "./archive-keys.ts";
import { closeRequest } from "./completion.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";
import { readFeed } from "./feed/read-feed.ts";
import { acceptsDocuments, type SourceOutcome } from "./run.ts";

/** A run's tally holds the ids of a source's requests in one item: 10 000 of them stay below DynamoDB's 400 KB. */
const mostEntries = 9_999;

/** Ten requests go into one batch, and SQS takes 256 KiB in one. */
const mostEntryBytes = 24_000;

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
  if (!acceptsDocuments(await ports.runs.get(runId))) return;
  const title = (await ports.sources.source(sourceId))?.title ?? sourceId;

  const { outcome, requests } = await listArticles(response, { runId, sourceId, title }, ports);
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
  source: { runId: string; sourceId: string; title: string },
  ports: ReadFeedPorts,
): Promise<Listing> {
  const { sourceId, title } = source;
  const failed = (reason: string): Listing => ({
    outcome: { sourceId, title, state: "failed", reason, entries: 0, known: 0, requested: 0, dropped: [] },
    requests: [],
  });
  if (outcome.type !== "answered" || outcome.status !== 200) return failed(describeMiss(outcome));
  const bytes = outcome.bodyKey === undefined ? new Uint8Array() : await ports.bodies.body(outcome.bodyKey);
  const contentType = outcome.headers["content-type"];
  const feed = readFeed(bytes, { url: outcome.url, ...(contentType !== undefined && { contentType }) });
  if (feed.type === "not-a-feed") return failed(`${outcome.url} is no feed (${feed.reason}): ${feed.detail}`);

  const entries = distinct(feed.entries);
  const fresh = await undelivered(entries, ports.archive);
  const requests = fresh.slice(0, mostEntries).map(
    (entry): NewRequest => ({
      id: digest(source.runId, sourceId, "article", entry.url),
      kind: "article",
      url: entry.url,
      ...(request.throttleMs !== undefined && { throttleMs: request.throttleMs }),
      ...(request.userAgent !== undefined && { userAgent: request.userAgent }),
      obeyRobots: request.obeyRobots,
      context: { runId: source.runId, sourceId, entry: withoutSummary(entry) },
    }),
  );
  const { sendable = [], tooLarge = [] } = Object.groupBy(requests, (one) =>
    isSendable(one) ? "sendable" : "tooLarge",
  );
  return {
    outcome: {
      sourceId,
      title,
      state: "read",
      ...(feed.lenient && { reason: `read leniently: ${feed.strictProblem ?? "not well-formed"}` }),
      entries: feed.entries.length + feed.dropped.length,
      known: entries.length - fresh.length,
      requested: sendable.length,
      dropped: [
        ...feed.dropped.map(({ index, reason }) => ({ entry: `entry ${index + 1}`, reason })),
        ...tooLarge.map(({ url }) => ({
          entry: url.slice(0, 200),
          reason: `its metadata exceed ${mostEntryBytes} bytes`,
        })),
      ],
    },
    requests: sendable,
  };
}

/** The summary may be the whole article; the page has the abstract. */
function withoutSummary({ summary: _summary, ...entry }: FeedEntry): Omit<FeedEntry, "summary"> {
  return entry;
}

function isSendable(request: NewRequest): boolean {
  return Buffer.byteLength(JSON.stringify(request)) <= mostEntryBytes;
}

/** A feed may list an article twice; the first counts. */
function distinct(entries: FeedEntry[]): FeedEntry[] {
  const byUrl = new Map<string, FeedEntry>();
  for (const entry of entries) if (!byUrl.has(entry.url)) byUrl.set(entry.url, entry);
  return [...byUrl.values()];
}

async function undelivered(entries: FeedEntry[], archive: ArchiveStore): Promise<FeedEntry[]> {
  const keyed = entries.map((entry) => ({ entry, keys: archiveKeys({ doi: entry.doi, urls: [entry.url] }) }));
  const known = await archive.known(keyed.flatMap(({ keys }) => keys));
  return keyed.filter(({ keys }) => !keys.some((key) => known.has(key))).map(({ entry }) => entry);
}
