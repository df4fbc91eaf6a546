import { parseInput } from "../../core/schema-problems.ts";
import { responseTries } from "../../web/request/kinds.ts";
import {
  capturedObject,
  deadLettered,
  type InboundResponse,
  type InterimExchange,
  withoutResponse,
} from "../../web/request/response.ts";
import {
  type CapturedAnswer,
  capturedAnswer,
  logOfAnswer,
  logOfFailure,
  originalOf,
  originalOfAnswer,
} from "../capture/capture-outcome.ts";
import type { UnreadLinks } from "../capture/discovered-link.ts";
import { maxQueriesPerPath } from "../capture/frontier.ts";
import { isRobots, withRobots } from "../capture/prerequisite.ts";
import { Scope } from "../capture/scope.ts";
import { wantedLinks } from "../capture/wanted-links.ts";
import { interimUrl, type WantedUrl } from "../capture/wanted-url.ts";
import type { HarvestDefinition } from "../definitions/definition.ts";
import type { HarvestJob } from "../definitions/job.ts";
import type { JobMessage } from "../definitions/job-message.ts";
import type { IndexEntry } from "../index/index-entry.ts";
import type { LookUpOriginal } from "../index/look-up-original.ts";
import { formatCrawlLogLine } from "../warc/crawl-log.ts";
import { exchangeRecords } from "../warc/exchange-records.ts";
import { gzipMember } from "../warc/gzip-member.ts";
import { type BeginJobPorts, startedJob } from "./begin-job.ts";
import { captureContext, captureRequest } from "./capture-requests.ts";
import { type CapturedPart, interimIdOf, type UrlOutcome } from "./captured-urls.ts";
import { jobWarcinfoId, nextWarcNumber } from "./job-warcs.ts";

export interface ReadCapturePorts extends BeginJobPorts {
  /** The stored responses. */
  answers: {
    chunks(key: string): AsyncIterable<Uint8Array>;
    /** Returns the first bytes of a response. */
    start(key: string, maxBytes: number): Promise<Uint8Array>;
  };
  /** Stores the records of an exchange. @returns their size in bytes */
  writePart(jobId: number, partId: string, content: AsyncIterable<Uint8Array>): Promise<number>;
  /** Finds the original of a capture in an index. */
  lookup: LookUpOriginal;
  capturedJobs: { send(message: JobMessage): Promise<void> };
  /** Returns a new UUID. */
  newId(): string;
}

/**
 * Stores a response as records of a WARC file, and requests those of its links that the job wants. Can be
 * repeated: the outcome that is stored first counts, with its records.
 */
export async function readCapture(
  response: InboundResponse,
  ports: ReadCapturePorts,
  { receiveCount }: { receiveCount: number },
): Promise<void> {
  const { jobId, urlId } = parseInput(captureContext, response.request.context);
  const found = await startedJob(jobId, ports.snapshots);
  const wanted = found && (await ports.urls.get(jobId, urlId));
  if (found === undefined || wanted === undefined) return;
  const given = { response, urlId, ...found };
  // Recorded before the response is read, because reading may kill the function.
  if (isDeadLettered(response) || receiveCount >= responseTries) await noteUnread(wanted, given, ports);
  if (isInterim(response)) {
    await keepInterim(wanted, given, ports);
  } else if (wanted.state !== "done" && !isDeadLettered(response)) {
    await awaitInterims(wanted, given, ports);
    await capture(wanted, given, ports);
  }
  if (!(await ports.urls.hasWanted(jobId))) await ports.capturedJobs.send({ jobId });
}

/**
 * Ends a URL whose response cannot be stored, with the reason in the crawl log. If the exchange is not the
 * last one of the URL, the job waits as for a dead-lettered response.
 */
export async function settleCapture(
  response: InboundResponse,
  ports: ReadCapturePorts,
  reason: string,
): Promise<void> {
  if (!isInterim(response)) return readCapture(withoutResponse(response, reason), ports, { receiveCount: 1 });
  const { jobId, urlId } = parseInput(captureContext, response.request.context);
  const found = await startedJob(jobId, ports.snapshots);
  const wanted = found && (await ports.urls.get(jobId, urlId));
  if (found === undefined || wanted === undefined) return;
  await noteUnread(wanted, { response, urlId, ...found }, ports);
  if (!(await ports.urls.hasWanted(jobId))) await ports.capturedJobs.send({ jobId });
}

interface Found {
  response: InboundResponse;
  urlId: string;
  job: HarvestJob;
  definition: HarvestDefinition;
}

function isInterim({ outcome }: InboundResponse): boolean {
  return outcome.type !== "refused" && outcome.isInterim === true;
}

/** Returns whether the request was dead-lettered: it has no outcome yet, and gets none before a redrive. */
function isDeadLettered({ outcome }: InboundResponse): boolean {
  return outcome.type === "refused" && outcome.reason === deadLettered;
}

/** Records that this response or its request will be dead-lettered, unless the response is read now. */
async function noteUnread(wanted: WantedUrl, given: Found, { urls, clock }: ReadCapturePorts): Promise<void> {
  const { response, urlId, job } = given;
  if (!isInterim(response)) return urls.noteUnread(job.id, urlId, clock.now());
  const captured = capturedObject(response.outcome);
  if (captured === undefined) return;
  const { url, facts } = captured;
  // The following response adds this exchange, but may not have been read.
  await urls.awaitInterims(job.id, interimsOf(wanted, { urlId, interims: [{ url, ...facts }] }));
  await urls.noteUnread(job.id, interimIdOf(urlId, new Date(facts.startedAt)), clock.now());
}

/** Adds the preceding exchanges, so that the job does not end before they are stored. */
async function awaitInterims(
  wanted: WantedUrl,
  { response: { interims = [] }, urlId, job }: Found,
  { urls }: ReadCapturePorts,
): Promise<void> {
  await urls.awaitInterims(job.id, interimsOf(wanted, { urlId, interims }));
}

/** Returns the subjects of the exchanges before the last one of a URL, by their ids. */
function interimsOf(
  wanted: WantedUrl,
  { urlId, interims }: { urlId: string; interims: readonly InterimExchange[] },
): Map<string, WantedUrl> {
  return new Map(
    interims.map(({ url, startedAt }) => {
      const { url: asked, hops, via } = interimUrl(wanted, url);
      const id = interimIdOf(urlId, new Date(startedAt));
      return [id, { url: asked, hops, ...(via !== undefined && { via }) }];
    }),
  );
}

async function capture(wanted: WantedUrl, found: Found, ports: ReadCapturePorts): Promise<void> {
  const { response, urlId, job, definition } = found;
  const { outcome } = response;
  const answer = capturedAnswer(wanted, outcome, (key) => ports.answers.chunks(key));
  const at = ports.clock.now();
  if (answer === undefined) {
    const log = formatCrawlLogLine(logOfFailure(wanted, outcome, at), at);
    await ports.urls.finish(job.id, urlId, { at: at.toISOString(), log });
    return;
  }
  const unread = await requestLinks(wanted, { ...found, answer }, ports);
  const stored = await store(answer, { ...found, unread }, ports);
  const isFirst = await ports.urls.finish(job.id, urlId, stored);
  if (!isFirst || outcome.type !== "answered" || isRobots(wanted.url)) return;
  await ports.snapshots.countCapture(job.id, { bytes: answer.bodyBytes, limits: definition.limits });
}

/**
 * Stores a response that is not the last one of its request: a failed attempt, or the robots.txt that was
 * read before it.
 */
async function keepInterim(wanted: WantedUrl, found: Found, ports: ReadCapturePorts): Promise<void> {
  const { response, urlId, job } = found;
  const asked = interimUrl(wanted, capturedObject(response.outcome)?.url ?? wanted.url);
  const answer = capturedAnswer(asked, response.outcome, (key) => ports.answers.chunks(key));
  if (answer === undefined) return;
  const { url, hops, via } = asked;
  const id = interimIdOf(urlId, answer.exchange.startedAt);
  const outcome = await store(answer, found, ports);
  await ports.urls.addInterim(job.id, id, { url, hops, ...(via !== undefined && { via }), outcome });
}

async function store(
  answer: CapturedAnswer,
  { urlId, job, definition, unread }: Found & { unread?: UnreadLinks | undefined },
  ports: ReadCapturePorts,
): Promise<UrlOutcome> {
  const { exchange, status, contentType } = answer;
  const entry = await originalIn(definition, answer, ports);
  const original = entry && originalOf(entry, exchange);
  const fileNumber = nextWarcNumber(job);
  const records = await exchangeRecords(exchange, {
    warcinfoId: jobWarcinfoId(job, fileNumber),
    newId: () => `urn:uuid:${ports.newId()}`,
    original,
  });
  let recordBytes = 0;
  async function* members() {
    for (const [index, record] of records.entries()) {
      for await (const chunk of gzipMember(record)) {
        if (index === 0) recordBytes += chunk.byteLength;
        yield chunk;
      }
    }
  }
  const partId = `${urlId}-${ports.newId()}`;
  const sizeBytes = await ports.writePart(job.id, partId, members());
  const part: CapturedPart = {
    partId,
    fileNumber,
    sizeBytes,
    recordBytes,
    date: exchange.startedAt.toISOString(),
    status,
    ...(contentType !== undefined && { contentType }),
    isRevisit: original !== undefined,
    ...(exchange.payloadDigest !== undefined && { digest: exchange.payloadDigest }),
  };
  const at = ports.clock.now();
  const log = formatCrawlLogLine(logOfAnswer(answer, { origin: entry?.origin, unread }), at);
  return { at: at.toISOString(), log, part, ...(unread && { unread }) };
}

/** Returns the earlier capture with this content, if the index of the definition is ready. */
async function originalIn(
  { index }: HarvestDefinition,
  answer: CapturedAnswer,
  { lookup }: ReadCapturePorts,
): Promise<IndexEntry | undefined> {
  const isReady = index?.state === "ready" || index?.state === "ready-partial";
  const built = isReady ? index.built : undefined;
  return built && originalOfAnswer(answer, (url, digest) => lookup(built, url, digest));
}

/**
 * Requests the links of the response. After a repetition, it requests them again, because the requests may
 * have been lost.
 * @returns the links that were not read, if any
 */
async function requestLinks(
  from: WantedUrl,
  given: Found & { answer: CapturedAnswer },
  ports: ReadCapturePorts,
): Promise<UnreadLinks | undefined> {
  const { answer, job, definition } = given;
  if (job.limit !== undefined) return undefined;
  const scope = new Scope({ seeds: job.seeds, maxDepth: definition.limits.maxDepth });
  const found = await wantedLinks(from, answer, { scope, start: ports.answers.start });
  const wanted: WantedUrl[] = [];
  for (const link of found.wanted) {
    if (await admitsQuery(link.url, job.id, ports)) wanted.push(link);
  }
  // A job cannot request more URLs than this.
  const open = await ports.urls.add(job.id, withRobots(wanted.slice(0, definition.limits.maxObjects)));
  await ports.requests.send(open.map((each) => captureRequest(each, job, definition)));
  return found.unread.dropped > 0 || found.unread.isCut ? found.unread : undefined;
}

/**
 * Returns whether a query is permitted. Many queries of one path are a trap. A repetition counts queries
 * twice.
 */
async function admitsQuery(url: string, jobId: number, { urls }: ReadCapturePorts): Promise<boolean> {
  const query = url.indexOf("?");
  return query < 0 || urls.countQuery(jobId, url.slice(0, query), maxQueriesPerPath);
}
