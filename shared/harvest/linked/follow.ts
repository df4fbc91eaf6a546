import { z } from "zod";
import { digest } from "../../core/digest.ts";
import type { NewRequest, OutboundRequest } from "../../web/gate/request.ts";
import { describeMiss, isFound, type ResponseOutcome } from "../../web/gate/response.ts";
import { mannersOf } from "../article-requests.ts";
import { told } from "../convert/conversion.ts";
import { siteOf } from "../crawl/site.ts";
import type { ZoteroItem } from "../item.ts";
import type { LinkedRecord } from "../page/linked.ts";
import type { LinkedStatements } from "../page/read-page.ts";
import { decodeFile, fileKinds, readFile, recordKinds } from "./read-file.ts";
import { chooseUnapiFormat } from "./unapi.ts";

/** Of one page, the most trusted first: with unAPI's list of formats no article costs its host more than four requests. */
const mostRecords = 2;

/** What the gate takes. */
const mostUrlChars = 8192;

/** In the order of trust. */
const vocabularies = ["unapi", ...fileKinds] as const;

/** What the request for a linked record carries with it, so that its answer can be read beside the page. */
export const linkedContext = z.object({
  /** The page as it answered. */
  page: z.object({ url: z.string(), contentType: z.string().optional(), bodyKey: z.string() }),
  /** Which of the page's records is asked for, from 0. */
  place: z.number().int(),
  /** Of unAPI the format that is asked for; absent while the list of formats is. */
  format: z.object({ name: z.string(), kind: z.enum(recordKinds) }).optional(),
  /** What has come in the way so far, one sentence each. */
  problems: z.array(z.string()),
});
export type LinkedContext = z.output<typeof linkedContext>;

/** A request to be made for a linked record. */
export interface LinkedStep {
  url: string;
  linked: LinkedContext;
}

export type LinkedAnswer =
  | { type: "statements"; statements: LinkedStatements }
  | { type: "step"; step: LinkedStep }
  | { type: "unusable"; problem: string };

/**
 * Whether so much is missing of an item that its page's linked records are worth a request: who wrote it, when, what it
 * is, or where in its journal it stands.
 */
export function isWanting(item: ZoteroItem): boolean {
  const { itemType, creators = [], date, volume, issue } = item;
  if (creators.length === 0 || date === undefined || itemType === "webpage" || itemType === "blogPost")
    return true;
  return itemType === "journalArticle" && volume === undefined && issue === undefined;
}

/** The request for the first of a page's records from a place on; undefined when there is none, `problems` says why. */
export function nextStep(
  records: readonly LinkedRecord[],
  from: Omit<LinkedContext, "format">,
): LinkedStep | undefined {
  const record = readableRecords(records, from.page.url)[from.place];
  return record && { url: record.url, linked: { ...from } };
}

/** The first records that are of another site, as warnings: a page does not decide whom else we ask. */
export function foreignRecords(records: readonly LinkedRecord[], pageUrl: string): string[] {
  return sorted(records)
    .filter(({ url }) => !isSameSite(url, pageUrl))
    .slice(0, mostRecords)
    .map(({ kind, url }) =>
      told(`the page's ${kind} record is of another site and was not asked for: ${url}`),
    );
}

/** What the answer to the request for a record says. */
export function readLinkedAnswer(
  records: readonly LinkedRecord[],
  { page, place, format, problems }: LinkedContext,
  answer: { outcome: ResponseOutcome; bytes: Uint8Array },
): LinkedAnswer {
  const record = readableRecords(records, page.url)[place];
  const unusable = (why: string): LinkedAnswer => ({
    type: "unusable",
    problem: told(`the page's ${record?.kind ?? "linked"} record could not be used: ${why}`),
  });
  const { outcome, bytes } = answer;
  if (record === undefined) return unusable("the page has it no more");
  const isList = record.kind === "unapi" && format === undefined;
  // A list of formats may be answered as what it is: several choices.
  const isAnswered = (isList && outcome.type === "answered" && outcome.status === 300) || isFound(outcome);
  if (!isAnswered || outcome.type !== "answered") return unusable(describeMiss(outcome));
  const contentType = outcome.headers["content-type"];
  if (isList) {
    const chosen = chooseUnapiFormat(decodeFile(bytes, contentType));
    if (chosen === undefined) return unusable(`${record.url} offers no format that is read`);
    const url = new URL(record.url);
    url.searchParams.set("format", chosen.name);
    if (url.href.length > mostUrlChars) return unusable("the name of its format has no end");
    return { type: "step", step: { url: url.href, linked: { page, place, format: chosen, problems } } };
  }
  const kind = format?.kind ?? fileKinds.find((known) => known === record.kind);
  if (kind === undefined) return unusable(`${record.kind} is not read`);
  const reading = readFile(kind, bytes, contentType);
  if (reading.type === "unreadable") return unusable(`${outcome.url} is no ${kind}: ${reading.detail}`);
  // An unAPI server is believed for its records; Dublin Core is no more exact there than in a page.
  const vocabulary = format === undefined || kind === "oai-dc" ? kind : "unapi";
  return { type: "statements", statements: { vocabulary, records: reading.records } };
}

/** The request for a step, in the manners of the one that has led to it, and counted where that is. */
export function requestFor({ url, linked }: LinkedStep, request: OutboundRequest): NewRequest {
  const { translation } = request;
  const context = { ...request.context, linked };
  const id = digest(request.id, "linked");
  return { id, kind: "article", url, ...mannersOf(request), ...(translation && { translation }), context };
}

/** Of the page's own site, and not the page itself. */
function readableRecords(records: readonly LinkedRecord[], pageUrl: string): LinkedRecord[] {
  return sorted(records)
    .filter(({ url }) => isSameSite(url, pageUrl) && url !== pageUrl && url.length <= mostUrlChars)
    .slice(0, mostRecords);
}

function sorted(records: readonly LinkedRecord[]): LinkedRecord[] {
  return vocabularies.flatMap((vocabulary) => records.filter(({ kind }) => kind === vocabulary));
}

function isSameSite(url: string, pageUrl: string): boolean {
  return siteOf(new URL(url)) === siteOf(new URL(pageUrl));
}
