import { randomUUID } from "node:crypto";
import {
  type CapturedAnswer,
  logOfAnswer,
  logOfFailure,
  originalOf,
} from "../../../../shared/snapshots/capture/capture-outcome.ts";
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
  /** What it refers to. */
  found: WantedUrl[];
  /** Absent when nothing has come. */
  answered?: { answer: CapturedAnswer; original: IndexEntry | undefined };
  /** Set when another exchange for its URL, or for what it was needed for, follows. */
  isInterim?: true;
}

/** An exchange whose records are written. */
export interface WrittenExchange extends CommittedExchange {
  /** Why there is no answer. */
  failure?: string;
}

/** The records of an answer: a revisit when there is an original. */
export function recordsOf({ exchange }: CapturedAnswer, original: IndexEntry | undefined): RecordGroup {
  return (warcinfoId) =>
    exchangeRecords(exchange, {
      warcinfoId,
      newId: () => `urn:uuid:${randomUUID()}`,
      original: original && originalOf(original),
    });
}

/** What a capture says about an exchange, and its lists. @param places of its records, the response or revisit first */
export function writtenExchange(
  { wanted, outcome, found, answered, isInterim }: ReadyExchange,
  places: readonly RecordPlace[] = [],
): WrittenExchange {
  const { url } = wanted;
  if (answered === undefined) {
    return {
      entry: { url, found, bytes: 0, isFailed: true },
      log: formatCrawlLogFields(logOfFailure(wanted, outcome, new Date())),
      failure: describeUnusableOutcome(outcome),
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
    },
    log: formatCrawlLogFields(logOfAnswer(answer, original?.origin)),
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
    ...(!isAnswer && { failure: describeUnusableOutcome(outcome) }),
  };
}
