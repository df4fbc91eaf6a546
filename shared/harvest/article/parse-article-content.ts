import type { FeedEntry } from "../../metadata/feed/feed-entry.ts";
import type { LinkedMetadata } from "../../metadata/page/linked-metadata.ts";
import {
  buildPageReading,
  type LinkedMetadataRecords,
  type PageReading,
  type ParsedPage,
  parsePage,
  readPageItem,
} from "../../metadata/page/read-page.ts";
import type { ZoteroItem } from "../../metadata/zotero-item.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import {
  describeUnusableOutcome,
  type InboundResponse,
  isUsableAnswer,
  type ResponseOutcome,
} from "../../web/gate/response.ts";
import type { Choices } from "../../web/translation/choices.ts";
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

/** What the answer to a request for an article holds. */
export type ArticleContent =
  /** Items, each with the notes that follow it; and what is to be told of how they were read. */
  | { type: "items"; items: ZoteroItem[][]; harvestedUrl: string; warnings: string[]; list?: StoredPage }
  /** A page whose linked record is to be asked for before it is an item. */
  | { type: "linked"; step: LinkedMetadataRequest }
  | { type: "choices"; choices: Choices }
  /** Nothing, which the translation server says of good pages too now and then. */
  | { type: "empty" }
  | { type: "dropped" | "failed"; reason: string; list?: StoredPage };

/** A page as it was kept. As the `list` of an answer: the page describes no article, and may list some. */
export type StoredPage = LinkedMetadataContext["page"];

/**
 * Reads the answer to a request for an article: the translation server's, the page's, or that of a record that the page
 * links to.
 * @param context.linked of a request for such a record
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
  if (outcome.translated !== undefined) {
    const { status, translated } = outcome;
    const reading = parseTranslation({ status, bytes, translated, url: request.url });
    return reading.type === "items" ? { ...reading, harvestedUrl: request.url, warnings: [] } : reading;
  }
  if (!isUsableAnswer(outcome)) return { type: "failed", reason: describeUnusableOutcome(outcome) };
  const contentType = outcome.headers["content-type"];
  const { url, bodyKey = "" } = outcome;
  return parsePageContent(bytes, { url, bodyKey, ...(contentType !== undefined && { contentType }) }, entry);
}

async function loadBody(outcome: ResponseOutcome, bodies: BodyReader): Promise<Uint8Array> {
  const key = outcome.type === "answered" ? outcome.bodyKey : undefined;
  return key === undefined ? new Uint8Array() : bodies.load(key);
}

/** The item that the page's own metadata give, completed by what its feed said; or what else is to be asked for it. */
function parsePageContent(bytes: Uint8Array, page: StoredPage, entry: FeedEntry): ArticleContent {
  const reading = readPageItem(bytes, page);
  const completion = reading.type === "item" ? mergeFeedMetadata(reading, entry) : undefined;
  const isEnough = completion?.type === "completed" && !isIncomplete(completion.item);
  const records = reading.linked ?? [];
  const problems = isEnough ? [] : describeForeignRecords(records, page.url);
  const step = isEnough ? undefined : nextLinkedRequest(records, { page, index: 0, problems });
  return step === undefined ? buildContent(reading, { page, entry, problems }) : { type: "linked", step };
}

/** What the page and its linked record give together; when the record is of no use, the next one, or the page alone. */
function parseLinkedContent(
  bytes: Uint8Array,
  linked: LinkedMetadataContext,
  { entry, answer }: { entry: FeedEntry; answer: Parameters<typeof parseLinkedAnswer>[2] },
): ArticleContent {
  const { page, index } = linked;
  const opened = parsePage(bytes, page);
  const alone = opened.type === "parsed" ? buildPageReading(opened) : opened;
  const records: LinkedMetadata[] = alone.linked ?? [];
  const found = parseLinkedAnswer(records, linked, answer);
  if (found.type === "request") return { type: "linked", step: found.request };
  const together =
    found.type === "metadata" && opened.type === "parsed"
      ? mergeLinkedRecord(opened, found.metadata)
      : undefined;
  if (together !== undefined) return buildContent(together, { page, entry, problems: linked.problems });
  const problem =
    found.type === "unusable"
      ? found.problem
      : "the page's linked record is about another work and was not used";
  const problems = [...linked.problems, problem];
  const step = nextLinkedRequest(records, { page, index: index + 1, problems });
  return step === undefined ? buildContent(alone, { page, entry, problems }) : { type: "linked", step };
}

/** The page read with a linked record; undefined when no record is about the page's work. */
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
  const completion = mergeFeedMetadata(reading, entry);
  if (completion.type === "dropped")
    return { type: "dropped", reason: [completion.reason, ...problems].join("; ") };
  const ofPage = reading.problems.map((problem) => `page: ${problem}`);
  const warnings = [...completion.warnings, ...problems, ...ofPage];
  const { item } = completion;
  const list = item.itemType === "webpage" && { list: page };
  return { type: "items", items: [[item]], harvestedUrl: page.url, warnings, ...list };
}
