import type { CaptureFacts } from "../../web/exchange/exchange.ts";
import { capturedObject, type ResponseOutcome } from "../../web/request/response.ts";
import type { IndexEntry } from "../index/index-entry.ts";
import { firstBytes, withoutFirst } from "../warc/block-part.ts";
import { type CrawlLogEntry, duplicateAnnotation, heritrixStatus } from "../warc/crawl-log.ts";
import type { CapturedExchange, OriginalCapture } from "../warc/exchange-records.ts";
import { mimeType } from "../warc/mime-type.ts";
import { responseIdIn } from "../warc/record-ids.ts";
import { sha1DigestOfHex } from "../warc/sha1-digest.ts";
import { isoTimeOf } from "../warc/timestamp.ts";
import type { WarcBlock } from "../warc/warc-record.ts";
import type { UnreadLinks } from "./discovered-link.ts";
import type { WantedUrl } from "./wanted-url.ts";

/** A captured response, with what is written about it. */
export interface CapturedAnswer {
  exchange: CapturedExchange;
  /**
   * The status; a negative Heritrix code if no head of a response was received. The bytes received in that
   * case are not indexed.
   */
  status: number;
  headers: Readonly<Record<string, string>>;
  contentType: string | undefined;
  /** The key of the stored response. */
  key: string;
  /** The size of the stored response: head and body as received. */
  sizeBytes: number;
  /** The size of the body without its transfer coding. */
  bodyBytes: number;
  /** Set if no head of a response was received. */
  attempts?: number;
}

/**
 * Returns what was received as a captured exchange; undefined if nothing was received. @param chunks returns
 * the stored object of a key
 */
export function capturedAnswer(
  { url, hops, via }: WantedUrl,
  outcome: ResponseOutcome,
  chunks: (key: string) => ReturnType<WarcBlock["chunks"]>,
): CapturedAnswer | undefined {
  const captured = capturedObject(outcome);
  if (captured === undefined) return undefined;
  const { key, sizeBytes, facts: capture, elapsedMs } = captured;
  const headers = outcome.type === "answered" ? outcome.headers : {};
  const { informationalBytes = 0 } = capture;
  const all = () => chunks(key);
  const exchange: CapturedExchange = {
    url,
    startedAt: new Date(capture.startedAt),
    durationMs: elapsedMs,
    ...(capture.address !== undefined && { address: capture.address }),
    request: Buffer.from(capture.requestHead, "latin1"),
    ...(informationalBytes > 0 && { informational: () => firstBytes(all, informationalBytes) }),
    response: {
      sizeBytes: sizeBytes - informationalBytes,
      digest: sha1DigestOfHex(capture.sha1),
      chunks: withoutFirst(all, informationalBytes),
    },
    headBytes: capture.headBytes,
    ...(capture.payloadBytes > 0 && { payloadDigest: sha1DigestOfHex(capture.payloadSha1) }),
    ...(capture.truncated !== undefined && { truncated: capture.truncated }),
    ...(via !== undefined && { via }),
    hops,
    isCompressed: isCompressed(headers),
    isReferable:
      outcome.type === "answered" &&
      outcome.status === 200 &&
      capture.truncated === undefined &&
      capture.payloadBytes > 0,
  };
  return {
    exchange,
    status: outcome.type === "answered" ? outcome.status : statusOfFailure(outcome),
    headers,
    contentType: headers["content-type"],
    key,
    sizeBytes,
    bodyBytes: capture.payloadBytes,
    ...(outcome.type === "failed" && { attempts: outcome.attempts }),
  };
}

/** Returns whether the body is compressed, by its coding or by its format. */
function isCompressed(headers: Readonly<Record<string, string>>): boolean {
  return (
    /\b(gzip|deflate|br|zstd)\b/i.test(headers["content-encoding"] ?? "") ||
    compressedTypes.test(mimeType(headers["content-type"]))
  );
}

const compressedTypes =
  /^(image\/(jpeg|png|gif|webp|avif)|video\/.*|audio\/(?!x?-?wav).*|font\/woff2?|application\/(zip|gzip|x-gzip|x-7z-compressed))$/;

/**
 * Returns the earlier capture with the content of a response, if the response is complete, not empty, and not
 * a partial response. A failed lookup counts as "no original".
 * @param lookup by URL and base32 digest
 */
export async function originalOfAnswer(
  { exchange: { url, payloadDigest, isReferable } }: CapturedAnswer,
  lookup: (url: string, digest: string) => Promise<IndexEntry | undefined>,
): Promise<IndexEntry | undefined> {
  if (!isReferable || payloadDigest === undefined) return undefined;
  return lookup(url, payloadDigest.slice(payloadDigest.indexOf(":") + 1)).catch(() => undefined);
}

/** An entry of a deduplication index as a revisit refers to it. */
export function originalOf(
  { url, date, origin }: IndexEntry,
  { payloadDigest }: Pick<CapturedExchange, "payloadDigest">,
): OriginalCapture {
  const startedAt = new Date(isoTimeOf(date) ?? "");
  const [file = ""] = origin.split(",", 1);
  const recordId = payloadDigest && responseIdIn(file, { url, startedAt, payloadDigest });
  return { url, date: startedAt, ...(recordId !== undefined && { recordId }) };
}

const truncationAnnotations: Record<NonNullable<CaptureFacts["truncated"]>, string> = {
  length: "lenTrunc",
  time: "timeTrunc",
  disconnect: "disconnectTrunc",
  unspecified: "unspecifiedTrunc",
};

/**
 * Returns the line of the crawl log about a captured response.
 * @param given.origin the origin of the capture that it repeats
 */
export function logOfAnswer(
  { exchange, status, contentType, bodyBytes, attempts = 1 }: CapturedAnswer,
  { origin, unread }: { origin?: string | undefined; unread?: UnreadLinks | undefined } = {},
): CrawlLogEntry {
  const { url, hops, via, startedAt, durationMs, payloadDigest, truncated } = exchange;
  return {
    status,
    sizeBytes: bodyBytes,
    url,
    hops,
    ...(via !== undefined && { via }),
    ...(contentType !== undefined && { contentType }),
    startedAt,
    durationMs,
    ...(payloadDigest !== undefined && { digest: payloadDigest }),
    annotations: [
      ...triesOf(attempts),
      ...(truncated === undefined ? [] : [truncationAnnotations[truncated]]),
      ...(origin === undefined ? [] : [duplicateAnnotation(origin)]),
      ...(unread?.dropped ? [`linksDropped:${unread.dropped}`] : []),
      ...(unread?.isCut ? ["linksCut"] : []),
    ],
  };
}

/** Returns the line of the crawl log about a URL without a response. @param at when this was known */
export function logOfFailure(
  { url, hops, via }: WantedUrl,
  outcome: ResponseOutcome,
  at: Date,
): CrawlLogEntry {
  const attempts = outcome.type === "failed" ? outcome.attempts : 0;
  return {
    status: statusOfFailure(outcome),
    sizeBytes: 0,
    url,
    hops,
    ...(via !== undefined && { via }),
    startedAt: at,
    durationMs: 0,
    annotations: triesOf(attempts),
  };
}

/** Returns the annotation of a URL that was requested more than once. */
function triesOf(attempts: number): string[] {
  return attempts > 1 ? [`${attempts}t`] : [];
}

const failureStatus: Record<string, number> = {
  dns: heritrixStatus.dns,
  connect: heritrixStatus.connect,
  tls: heritrixStatus.connect,
  timeout: heritrixStatus.timeout,
  unavailable: heritrixStatus.retriesExhausted,
  robots: heritrixStatus.disallowedByRobots,
  "robots-unreachable": heritrixStatus.robotsUnreachable,
  "bad-url": heritrixStatus.illegalUrl,
  "too-late": heritrixStatus.timeLimit,
};

function statusOfFailure(outcome: ResponseOutcome): number {
  if (outcome.type === "answered") return outcome.status;
  const { reason, type } = outcome;
  return (
    failureStatus[reason] ?? (type === "refused" ? heritrixStatus.outOfScope : heritrixStatus.disconnect)
  );
}
