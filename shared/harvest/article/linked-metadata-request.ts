import { z } from "zod";
import { digest } from "../../core/digest.ts";
import { truncateText } from "../../core/truncate-text.ts";
import type { LinkedMetadata } from "../../metadata/page/linked-metadata.ts";
import type { LinkedMetadataRecords } from "../../metadata/page/read-page.ts";
import {
  decodeRecordFile,
  fileFormats,
  parseRecordFile,
  recordFormats,
} from "../../metadata/record-file/parse-record-file.ts";
import { chooseUnapiFormat } from "../../metadata/record-file/unapi.ts";
import type { ZoteroItem } from "../../metadata/zotero-item.ts";
import { siteOf } from "../../web/address/site.ts";
import type { NewRequest, OutboundRequest } from "../../web/gate/request.ts";
import { describeUnusableOutcome, isUsableAnswer, type ResponseOutcome } from "../../web/gate/response.ts";
import { pickRequestPolicy } from "../request-policy.ts";

/** Of one page, the most trusted first: with unAPI's list of formats no article costs its host more than four requests. */
const maxRecords = 2;

/** What the gate takes. */
const maxUrlChars = 8192;

/** In the order of trust. */
const vocabulariesByTrust = ["unapi", ...fileFormats] as const;

/** What the request for a linked record carries with it, so that its answer can be read beside the page. */
export const linkedMetadataContext = z.object({
  /** The page as it answered. */
  page: z.object({ url: z.string(), contentType: z.string().optional(), bodyKey: z.string() }),
  /** Which of the page's records is asked for, from 0. */
  index: z.number().int(),
  /** Of unAPI the format that is asked for; absent while the list of formats is. */
  format: z.object({ name: z.string(), kind: z.enum(recordFormats) }).optional(),
  /** What has come in the way so far, one sentence each. */
  problems: z.array(z.string()),
});
export type LinkedMetadataContext = z.output<typeof linkedMetadataContext>;

/** A request to be made for a linked record. */
export interface LinkedMetadataRequest {
  url: string;
  linked: LinkedMetadataContext;
}

export type LinkedMetadataResult =
  | { type: "metadata"; metadata: LinkedMetadataRecords }
  | { type: "request"; request: LinkedMetadataRequest }
  | { type: "unusable"; problem: string };

/**
 * Whether so much is missing of an item that its page's linked records are worth a request: who wrote it, when, what it
 * is, or where in its journal it stands.
 */
export function isIncomplete(item: ZoteroItem): boolean {
  const { itemType, creators = [], date, volume, issue } = item;
  if (creators.length === 0 || date === undefined || itemType === "webpage" || itemType === "blogPost")
    return true;
  return itemType === "journalArticle" && volume === undefined && issue === undefined;
}

/** The request for the first of a page's records from a place on; undefined when there is none, `problems` says why. */
export function nextLinkedRequest(
  records: readonly LinkedMetadata[],
  from: Omit<LinkedMetadataContext, "format">,
): LinkedMetadataRequest | undefined {
  const record = usableRecords(records, from.page.url)[from.index];
  return record && { url: record.url, linked: { ...from } };
}

/** The first records that are of another site, as warnings: a page does not decide whom else we ask. */
export function describeForeignRecords(records: readonly LinkedMetadata[], pageUrl: string): string[] {
  return sortByTrust(records)
    .filter(({ url }) => !isSameSite(url, pageUrl))
    .slice(0, maxRecords)
    .map(({ format, url }) =>
      truncateText(`the page's ${format} record is of another site and was not asked for: ${url}`),
    );
}

/** What the answer to the request for a record says. */
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
  if (record === undefined) return unusable("the page has it no more");
  const isList = record.format === "unapi" && format === undefined;
  // A list of formats may be answered as what it is: several choices.
  const isAnswered =
    (isList && outcome.type === "answered" && outcome.status === 300) || isUsableAnswer(outcome);
  if (!isAnswered || outcome.type !== "answered") return unusable(describeUnusableOutcome(outcome));
  const contentType = outcome.headers["content-type"];
  if (isList) {
    const chosen = chooseUnapiFormat(decodeRecordFile(bytes, contentType));
    if (chosen === undefined) return unusable(`${record.url} offers no format that is read`);
    const url = new URL(record.url);
    url.searchParams.set("format", chosen.name);
    if (url.href.length > maxUrlChars) return unusable("the name of its format has no end");
    return { type: "request", request: { url: url.href, linked: { page, index, format: chosen, problems } } };
  }
  const kind = format?.kind ?? fileFormats.find((known) => known === record.format);
  if (kind === undefined) return unusable(`${record.format} is not read`);
  const reading = parseRecordFile(kind, bytes, contentType);
  if (reading.type === "unreadable") return unusable(`${outcome.url} is no ${kind}: ${reading.detail}`);
  // An unAPI server is believed for its records; Dublin Core is no more exact there than in a page.
  const vocabulary = format === undefined || kind === "oai-dc" ? kind : "unapi";
  return { type: "metadata", metadata: { vocabulary, records: reading.records } };
}

/** The request for a step, in the request policy of the one that has led to it, and counted where that is. */
export function buildLinkedRequest(
  { url, linked }: LinkedMetadataRequest,
  request: OutboundRequest,
): NewRequest {
  const { translation } = request;
  const context = { ...request.context, linked };
  const id = digest(request.id, "linked");
  return {
    id,
    kind: "article",
    url,
    ...pickRequestPolicy(request),
    ...(translation && { translation }),
    context,
  };
}

/** Of the page's own site, and not the page itself. */
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
