import { randomUUID } from "node:crypto";
import {
  type CapturedAnswer,
  logOfAnswer,
  logOfFailure,
  originalOf,
} from "../../../../shared/snapshots/capture/capture-outcome.ts";
import type { UnreadLinks } from "../../../../shared/snapshots/capture/discovered-link.ts";
import type { WantedUrl } from "../../../../shared/snapshots/capture/wanted-url.ts";
import type { IndexEntry } from "../../../../shared/snapshots/index/index-entry.ts";
import { formatCdxjLine } from "../../../../shared/snapshots/warc/cdxj.ts";
import { formatCrawlLogFields } from "../../../../shared/snapshots/warc/crawl-log.ts";
import { exchangeRecords } from "../../../../shared/snapshots/warc/exchange-records.ts";
import type { RecordGroup, RecordPlace } from "../../../../shared/snapshots/warc/warc-writer.ts";
import { describeUnusableOutcome, type ResponseOutcome } from "../../../../shared/web/request/response.ts";
import type { CommittedExchange } from "./capture-folder.ts";

/** An exchange that is ready to be written. */
export interface ReadyExchange {
  wanted: WantedUrl;
  outcome: ResponseOutcome;
  /** The URLs that its response links to. */
  found: WantedUrl[];
  /** The links that were not read, if any. */
  unread?: UnreadLinks | undefined;
  /** The captured response; absent if there was none. */
  answered?: { answer: CapturedAnswer; original: IndexEntry | undefined };
  /** Set if another exchange for its URL follows, or for the URL for which its robots.txt was needed. */
  isInterim?: true;
}

/** Returns the records of a response: a revisit if there is an original. */
export function recordsOf({ exchange }: CapturedAnswer, original: IndexEntry | undefined): RecordGroup {
  return (warcinfoId) =>
    exchangeRecords(exchange, {
      warcinfoId,
      newId: () => `urn:uuid:${randomUUID()}`,
      original: original && originalOf(original, exchange),
    });
}

/**
 * Returns the journal entry and the lines of an exchange. @param places of its records; the response or
 * revisit is first
 */
export function writtenExchange(
  { wanted, outcome, found, unread, answered, isInterim }: ReadyExchange,
  places: readonly RecordPlace[] = [],
): CommittedExchange {
  const { url } = wanted;
  const seedFailure = isInterim || wanted.via !== undefined ? undefined : failureOf(outcome);
  if (answered === undefined) {
    return {
      entry: { url, found, bytes: 0, isFailed: true, ...(seedFailure && { seedFailure }) },
      log: formatCrawlLogFields(logOfFailure(wanted, outcome, new Date())),
    };
  }
  const { answer, original } = answered;
  const [place] = places;
  if (place === undefined) throw new Error(`no record was written for ${url}`);
  const { exchange, status, contentType } = answer;
  const isAnswer = outcome.type === "answered";
  return {
    entry: {
      url,
      found,
      bytes: answer.bodyBytes,
      ...(isInterim && { isInterim }),
      ...(original !== undefined && { isDuplicate: true }),
      ...(!isAnswer && { isFailed: true }),
      ...(seedFailure && { seedFailure }),
      ...(unread && { unread }),
    },
    log: formatCrawlLogFields(logOfAnswer(answer, { origin: original?.origin, unread })),
    ...(isAnswer && {
      cdxj: formatCdxjLine({
        url,
        date: exchange.startedAt,
        status,
        contentType,
        isRevisit: original !== undefined,
        digest: exchange.payloadDigest,
        place,
      }),
    }),
    end: places.at(-1),
  };
}

/** Returns why an outcome is not the resource: there was no response, or its status is an error. */
function failureOf(outcome: ResponseOutcome): string | undefined {
  if (outcome.type !== "answered") return describeUnusableOutcome(outcome);
  if (outcome.status < 400) return undefined;
  const retryAfter = outcome.headers["retry-after"];
  const patience = retryAfter === undefined ? "" : `, and asks to wait: Retry-After ${retryAfter}`;
  return `${describeUnusableOutcome(outcome)}${patience}`;
}
