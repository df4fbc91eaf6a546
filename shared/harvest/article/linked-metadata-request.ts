// Input: the records that a page links to (RIS, BibTeX, MODS, unAPI). Output: the request for the next record, and its
// parsed response. Called by parse-article-content.ts.

import * as z from "zod";
import { digest } from "../../core/digest.ts";
import { truncateText } from "../../core/truncate-text.ts";
import type { LinkedMetadata } from "../../formats/page/linked-metadata.ts";
import type { LinkedMetadataRecords } from "../../formats/page/read-page.ts";
import {
  decodeRecordFile,
  fileFormats,
  parseRecordFile,
  recordFormats,
} from "../../formats/record-file/parse-record-file.ts";
import { chooseUnapiFormat } from "../../formats/record-file/unapi.ts";
import type { ZoteroItem } from "../../formats/zotero-item.ts";
import { siteOf } from "../../web/address/site.ts";
import type { NewRequest, OutboundRequest } from "../../web/request/request.ts";
import { describeUnusableOutcome, isUsableAnswer, type ResponseOutcome } from "../../web/request/response.ts";
import { pickRequestPolicy } from "../request-policy.ts";

/**
 * The maximum number of records that are tried per page. Including unAPI's list of formats, an article takes at most
 * four requests to its host.
 */
const maxRecords = 2;

/** The maximum length of a URL that the gate accepts. */
const maxUrlChars = 8192;

/** The vocabularies, most trusted first. */
const vocabulariesByTrust = ["unapi", ...fileFormats] as const;

/**
 * The context of a request for a linked record. It contains all data that are needed to merge the response with the
 * page.
 */
export const linkedMetadataContext = z.object({
  /** The stored page. */
  page: z.object({ url: z.string(), contentType: z.string().optional(), bodyKey: z.string() }),
  /** The position of the requested record among the page's records, from 0. */
  index: z.number().int(),
  /** For unAPI, the requested format; absent while the list of formats is requested. */
  format: z.object({ name: z.string(), kind: z.enum(recordFormats) }).optional(),
  /** The problems so far, one sentence each. */
  problems: z.array(z.string()),
});
export type LinkedMetadataContext = z.output<typeof linkedMetadataContext>;

/** A request for a linked record. */
export interface LinkedMetadataRequest {
  url: string;
  linked: LinkedMetadataContext;
}

type LinkedMetadataResult =
  | { type: "metadata"; metadata: LinkedMetadataRecords }
  | { type: "request"; request: LinkedMetadataRequest }
  | { type: "unusable"; problem: string };

/**
 * Returns whether a request for linked records is worthwhile, because the item lacks creators, date, type, or its place
 * in the journal.
 */
export function isIncomplete(item: ZoteroItem): boolean {
  const { itemType, creators = [], date, volume, issue } = item;
  if (creators.length === 0 || date === undefined || itemType === "webpage" || itemType === "blogPost")
    return true;
  return itemType === "journalArticle" && volume === undefined && issue === undefined;
}

/**
 * Returns the request for the page's usable record at `from.index`.
 * @returns undefined when there is none
 */
export function nextLinkedRequest(
  records: readonly LinkedMetadata[],
  from: Omit<LinkedMetadataContext, "format">,
): LinkedMetadataRequest | undefined {
  const record = usableRecords(records, from.page.url)[from.index];
  return record && { url: record.url, linked: { ...from } };
}

/**
 * Returns warnings about records on other sites. Such records are never requested, because a page must not make us
 * request other hosts.
 */
export function describeForeignRecords(records: readonly LinkedMetadata[], pageUrl: string): string[] {
  return sortByTrust(records)
    .filter(({ url }) => !isSameSite(url, pageUrl))
    .slice(0, maxRecords)
    .map(({ format, url }) =>
      truncateText(`the page's ${format} record is on another site and was not requested: ${url}`),
    );
}

/** Parses the response to the request for a linked record. */
export function parseLinkedAnswer(
  records: readonly LinkedMetadata[],
  { page, index, format, problems }: LinkedMetadataContext,
  answer: { outcome: ResponseOutcome; bytes: Uint8Array },
): LinkedMetadataResult {
  const record = usableRecords(records, page.url)[index];
  const unusable = (why: string): LinkedMetadataResult => ({
    type: "unusable",
    problem: truncateText(`the page's ${record?.format ?? "linked"} record could not be used: ${why}`),
  });
  const { outcome, bytes } = answer;
  if (record === undefined) return unusable("the page no longer links to it");
  const isList = record.format === "unapi" && format === undefined;
  // An unAPI server may send its list of formats with status 300 (Multiple Choices).
  const isAnswered =
    (isList && outcome.type === "answered" && outcome.status === 300) || isUsableAnswer(outcome);
  if (!isAnswered || outcome.type !== "answered") return unusable(describeUnusableOutcome(outcome));
  const contentType = outcome.headers["content-type"];
  if (isList) {
    const chosen = chooseUnapiFormat(decodeRecordFile(bytes, contentType));
    if (chosen === undefined) return unusable(`${record.url} offers no supported format`);
    const url = new URL(record.url);
    url.searchParams.set("format", chosen.name);
    if (url.href.length > maxUrlChars) return unusable("the name of its format is too long");
    return { type: "request", request: { url: url.href, linked: { page, index, format: chosen, problems } } };
  }
  const kind = format?.kind ?? fileFormats.find((known) => known === record.format);
  if (kind === undefined) return unusable(`the format ${record.format} is not supported`);
  const reading = parseRecordFile(kind, bytes, contentType);
  if (reading.type === "unreadable")
    return unusable(`${outcome.url} is not valid ${kind}: ${reading.detail}`);
  // unAPI records are the most trusted, except those in Dublin Core, which are no more precise there than in a page.
  const vocabulary = format === undefined || kind === "oai-dc" ? kind : "unapi";
  return { type: "metadata", metadata: { vocabulary, records: reading.records } };
}

/** Builds the request for a linked record. Its policy and its tally are those of the page's request. */
export function buildLinkedRequest(
  { url, linked }: LinkedMetadataRequest,
  request: OutboundRequest,
): NewRequest {
  const { transport } = request;
  const context = { ...request.context, linked };
  const id = digest(request.id, "linked");
  return {
    id,
    kind: "article",
    url,
    ...pickRequestPolicy(request),
    ...(transport && { transport }),
    context,
  };
}

/** Returns the records on the page's own site, except the page itself. */
function usableRecords(records: readonly LinkedMetadata[], pageUrl: string): LinkedMetadata[] {
  return sortByTrust(records)
    .filter(({ url }) => isSameSite(url, pageUrl) && url !== pageUrl && url.length <= maxUrlChars)
    .slice(0, maxRecords);
}

function sortByTrust(records: readonly LinkedMetadata[]): LinkedMetadata[] {
  return vocabulariesByTrust.flatMap((vocabulary) => records.filter(({ format }) => format === vocabulary));
}

function isSameSite(url: string, pageUrl: string): boolean {
  return siteOf(new URL(url)) === siteOf(new URL(pageUrl));
}
