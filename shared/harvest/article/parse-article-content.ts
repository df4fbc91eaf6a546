// Input: the response to an article request. Output: its Zotero items, or the next request that is needed to get them.
// Called by read-article-response.ts.

import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import type { LinkedMetadata } from "../../formats/page/linked-metadata.ts";
import {
  buildPageReading,
  type LinkedMetadataRecords,
  type PageReading,
  type ParsedPage,
  parsePage,
  readPageItem,
} from "../../formats/page/read-page.ts";
import type { ZoteroItem } from "../../formats/zotero-item.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import { describeUnusableOutcome, type InboundResponse, isUsableAnswer } from "../../web/request/response.ts";
import type { Choices } from "../../web/translation/choices.ts";
import { translationOptionsOf, translationResultOf } from "../../web/translation/translation-options.ts";
import { loadBody } from "../load-body.ts";
import {
  describeForeignRecords,
  isIncomplete,
  type LinkedMetadataContext,
  type LinkedMetadataRequest,
  nextLinkedRequest,
  parseLinkedAnswer,
} from "./linked-metadata-request.ts";
import { mergeFeedMetadata } from "./merge-feed-metadata.ts";
import { parseTranslation } from "./parse-translation.ts";

/** The content of the response to an article request. */
export type ArticleContent =
  /** Zotero items, each followed by its notes. */
  | { type: "items"; items: ZoteroItem[][]; harvestedUrl: string; warnings: string[]; list?: StoredPage }
  /** The page lacks metadata, so the record that it links to must be requested first. */
  | { type: "linked"; next: LinkedMetadataRequest }
  /** A list of articles, offered by the translation server. */
  | { type: "choices"; choices: Choices }
  /**
   * An empty response of the translation server. The server occasionally returns one for pages that it can translate.
   */
  | { type: "empty" }
  /**
   * The translation server has no translator for the page and returns only its title and address, so the page itself
   * must be requested.
   */
  | { type: "untranslated" }
  | { type: "dropped" | "failed"; reason: string; list?: StoredPage };

/**
 * A stored page. If it is the `list` of a content, the page is not the page of an article and may be a list of
 * articles.
 */
export type StoredPage = LinkedMetadataContext["page"];

/**
 * Parses the response to an article request. The response comes from the translation server, from the page itself, or
 * from a record that the page links to.
 * @param context.linked set when the request was for a linked record
 */
export async function parseArticleContent(
  { request, outcome }: InboundResponse,
  { entry, linked }: { entry: FeedEntry; linked?: LinkedMetadataContext | undefined },
  bodies: BodyReader,
): Promise<ArticleContent> {
  const bytes = await loadBody(outcome, bodies);
  if (linked !== undefined) {
    const page = await bodies.load(linked.page.bodyKey);
    return parseLinkedContent(page, linked, { entry, answer: { outcome, bytes } });
  }
  if (outcome.type !== "answered") return { type: "failed", reason: describeUnusableOutcome(outcome) };
  const result = translationResultOf(outcome);
  if (result !== undefined) {
    const { translated } = result;
    const isSearch = translationOptionsOf(request)?.search !== undefined;
    const { status } = outcome;
    const translation = parseTranslation({ status, bytes, translated, url: request.url, isSearch });
    return translation.type === "items"
      ? { ...translation, harvestedUrl: request.url, warnings: [] }
      : translation;
  }
  if (!isUsableAnswer(outcome)) return { type: "failed", reason: describeUnusableOutcome(outcome) };
  const contentType = outcome.headers["content-type"];
  const { url, bodyKey = "" } = outcome;
  const page = { url, bodyKey, ...(contentType !== undefined && { contentType }) };
  // The warnings of pages that break the rules of HTTP, and of redirects to such pages.
  const tolerated = new Set(outcome.hops.flatMap(({ warning }) => warning ?? []));
  return parsePageContent(bytes, page, { entry, tolerated: [...tolerated] });
}

/**
 * Returns the item from the page's own metadata and its feed entry, or the request for a linked record when these are
 * incomplete.
 */
function parsePageContent(
  bytes: Uint8Array,
  page: StoredPage,
  { entry, tolerated }: { entry: FeedEntry; tolerated: string[] },
): ArticleContent {
  const reading = readPageItem(bytes, page);
  const merged = reading.type === "item" ? mergeFeedMetadata(reading, entry) : undefined;
  const isComplete = merged?.type === "merged" && !isIncomplete(merged.item);
  const records = reading.linked ?? [];
  const problems = [...tolerated, ...(isComplete ? [] : describeForeignRecords(records, page.url))];
  const next = isComplete ? undefined : nextLinkedRequest(records, { page, index: 0, problems });
  return next === undefined ? buildContent(reading, { page, entry, problems }) : { type: "linked", next };
}

/**
 * Returns the item from the page and its linked record. If the record is unusable, returns the request for the next
 * record, or the item from the page alone.
 */
function parseLinkedContent(
  bytes: Uint8Array,
  linked: LinkedMetadataContext,
  { entry, answer }: { entry: FeedEntry; answer: Parameters<typeof parseLinkedAnswer>[2] },
): ArticleContent {
  const { page, index } = linked;
  const parsed = parsePage(bytes, page);
  const pageAlone = parsed.type === "parsed" ? buildPageReading(parsed) : parsed;
  const records: LinkedMetadata[] = pageAlone.linked ?? [];
  const result = parseLinkedAnswer(records, linked, answer);
  if (result.type === "request") return { type: "linked", next: result.request };
  const merged =
    result.type === "metadata" && parsed.type === "parsed"
      ? mergeLinkedRecord(parsed, result.metadata)
      : undefined;
  if (merged !== undefined) return buildContent(merged, { page, entry, problems: linked.problems });
  const problem =
    result.type === "unusable"
      ? result.problem
      : "the page's linked record is about another work and was not used";
  const problems = [...linked.problems, problem];
  const next = nextLinkedRequest(records, { page, index: index + 1, problems });
  return next === undefined ? buildContent(pageAlone, { page, entry, problems }) : { type: "linked", next };
}

/**
 * Merges the page with its linked record.
 * @returns undefined when no record in the file describes the page's work
 */
function mergeLinkedRecord(page: ParsedPage, linked: LinkedMetadataRecords): PageReading | undefined {
  const reading = buildPageReading(page, linked);
  return reading.type === "item" && reading.evidence.includes(linked.vocabulary) ? reading : undefined;
}

function buildContent(
  reading: PageReading,
  { page, entry, problems }: { page: StoredPage; entry: FeedEntry; problems: string[] },
): ArticleContent {
  if (reading.type === "not-a-page") {
    const reason = [`${reading.reason}: ${reading.detail}`, ...problems].join("; ");
    return { type: "dropped", reason, ...(reading.reason === "no-title" && { list: page }) };
  }
  const merged = mergeFeedMetadata(reading, entry);
  if (merged.type === "dropped") return { type: "dropped", reason: [merged.reason, ...problems].join("; ") };
  const pageProblems = reading.problems.map((problem) => `page: ${problem}`);
  const warnings = [...merged.warnings, ...problems, ...pageProblems];
  const { item } = merged;
  const list = item.itemType === "webpage" && { list: page };
  return { type: "items", items: [[item]], harvestedUrl: page.url, warnings, ...list };
}
