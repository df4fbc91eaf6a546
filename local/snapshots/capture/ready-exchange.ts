import { randomUUID } from "node:crypto";
import {
  type CapturedAnswer,
  logOfAnswer,
  logOfFailure,
  originalOf,
  type WantedUrl,
} from "../../../shared/snapshots/capture/capture-outcome.ts";
import type { IndexEntry } from "../../../shared/snapshots/index/join-captures.ts";
import { formatCdxjLine } from "../../../shared/snapshots/warc/cdxj.ts";
import { formatCrawlLogLine } from "../../../shared/snapshots/warc/crawl-log.ts";
import { exchangeRecords } from "../../../shared/snapshots/warc/exchange-records.ts";
import type { RecordGroup, RecordPlace } from "../../../shared/snapshots/warc/warc-writer.ts";
import type { ResponseOutcome } from "../../../shared/web/gate/response.ts";
import type { CommittedExchange } from "./capture-folder.ts";

/** An exchange that is ready to be written. */
export interface ReadyExchange {
  wanted: WantedUrl;
  outcome: ResponseOutcome;
  /** What it has added to the capture. */
  found: WantedUrl[];
  /** Absent without an answer. */
  answered?: { answer: CapturedAnswer; key: string; original: IndexEntry | undefined };
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

/** What the lists of a capture say of an exchange. @param places of its records, the response or revisit first */
export function committedExchange(
  { wanted, outcome, found, answered }: ReadyExchange,
  places: readonly RecordPlace[] = [],
): CommittedExchange {
  const { url } = wanted;
  const at = new Date();
  if (answered === undefined) {
    return { entry: { url, found, bytes: 0 }, log: formatCrawlLogLine(logOfFailure(wanted, outcome, at)) };
  }
  const { answer, original } = answered;
  const [place] = places;
  if (place === undefined) throw new Error(`no record was written for ${url}`);
  const { exchange, status, contentType } = answer;
  return {
    entry: { url, found, bytes: answer.bodyBytes },
    log: formatCrawlLogLine(logOfAnswer(answer, { at, ...(original && { origin: original.origin }) })),
    cdxj: formatCdxjLine({
      url,
      date: exchange.startedAt,
      status,
      contentType,
      isRevisit: original !== undefined,
      digest: exchange.payloadDigest,
      place,
    }),
    end: places.at(-1),
  };
}
