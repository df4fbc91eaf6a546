import type { BodyStore } from "../ports.ts";
import { describeMiss, type InboundResponse, isFound, type ResponseOutcome } from "../web/gate/response.ts";
import type { Choices } from "../web/translation/choices.ts";
import { completeItem } from "./complete-item.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";
import type { ZoteroItem } from "./item.ts";
import {
  foreignRecords,
  isWanting,
  type LinkedContext,
  type LinkedStep,
  nextStep,
  readLinkedAnswer,
} from "./linked/follow.ts";
import type { LinkedRecord } from "./page/linked.ts";
import {
  describePage,
  type LinkedStatements,
  type OpenPage,
  openPage,
  type PageReading,
  readPage,
} from "./page/read-page.ts";
import { readTranslation } from "./translation/read-translation.ts";

/** What the answer to a request for an article holds. */
export type ArticleAnswer =
  /** Items, each with the notes that follow it; and what is to be told of how they were read. */
  | { type: "items"; items: ZoteroItem[][]; harvestedUrl: string; warnings: string[]; list?: Page }
  /** A page whose linked record is to be asked for before it is an item. */
  | { type: "linked"; step: LinkedStep }
  | { type: "choices"; choices: Choices }
  /** Nothing, which the translation server says of good pages too now and then. */
  | { type: "empty" }
  | { type: "dropped" | "failed"; reason: string; list?: Page };

/** A page as it was kept. As the `list` of an answer: the page describes no article, and may list some. */
export type Page = LinkedContext["page"];

/**
 * Reads the answer to a request for an article: the translation server's, the page's, or that of a record that the page
 * links to.
 * @param context.linked of a request for such a record
 */
export async function readArticleAnswer(
  { request, outcome }: InboundResponse,
  { entry, linked }: { entry: FeedEntry; linked?: LinkedContext | undefined },
  bodies: BodyStore,
): Promise<ArticleAnswer> {
  const bytes = await bodyOf(outcome, bodies);
  if (linked !== undefined) {
    const page = await bodies.body(linked.page.bodyKey);
    return readBesidePage(page, linked, { entry, answer: { outcome, bytes } });
  }
  if (outcome.type !== "answered") return { type: "failed", reason: describeMiss(outcome) };
  if (outcome.translated !== undefined) {
    const { status, translated } = outcome;
    const reading = readTranslation({ status, bytes, translated, url: request.url });
    return reading.type === "items" ? { ...reading, harvestedUrl: request.url, warnings: [] } : reading;
  }
  if (!isFound(outcome)) return { type: "failed", reason: describeMiss(outcome) };
  const contentType = outcome.headers["content-type"];
  const { url, bodyKey = "" } = outcome;
  return readOwn(bytes, { url, bodyKey, ...(contentType !== undefined && { contentType }) }, entry);
}

async function bodyOf(outcome: ResponseOutcome, bodies: BodyStore): Promise<Uint8Array> {
  const key = outcome.type === "answered" ? outcome.bodyKey : undefined;
  return key === undefined ? new Uint8Array() : bodies.body(key);
}

/** The item that the page's own metadata give, completed by what its feed said; or what else is to be asked for it. */
function readOwn(bytes: Uint8Array, page: Page, entry: FeedEntry): ArticleAnswer {
  const reading = readPage(bytes, page);
  const completion = reading.type === "item" ? completeItem(reading, entry) : undefined;
  const isEnough = completion?.type === "completed" && !isWanting(completion.item);
  const records = reading.linked ?? [];
  const problems = isEnough ? [] : foreignRecords(records, page.url);
  const step = isEnough ? undefined : nextStep(records, { page, place: 0, problems });
  return step === undefined ? answerOf(reading, { page, entry, problems }) : { type: "linked", step };
}

/** What the page and its linked record give together; when the record is of no use, the next one, or the page alone. */
function readBesidePage(
  bytes: Uint8Array,
  linked: LinkedContext,
  { entry, answer }: { entry: FeedEntry; answer: Parameters<typeof readLinkedAnswer>[2] },
): ArticleAnswer {
  const { page, place } = linked;
  const opened = openPage(bytes, page);
  const alone = opened.type === "open" ? describePage(opened) : opened;
  const records: LinkedRecord[] = alone.linked ?? [];
  const found = readLinkedAnswer(records, linked, answer);
  if (found.type === "step") return { type: "linked", step: found.step };
  const together =
    found.type === "statements" && opened.type === "open" ? withRecord(opened, found.statements) : undefined;
  if (together !== undefined) return answerOf(together, { page, entry, problems: linked.problems });
  const problem =
    found.type === "unusable"
      ? found.problem
      : "the page's linked record is about another work and was not used";
  const problems = [...linked.problems, problem];
  const step = nextStep(records, { page, place: place + 1, problems });
  return step === undefined ? answerOf(alone, { page, entry, problems }) : { type: "linked", step };
}

/** The page read with a linked record; undefined when no record is about the page's work. */
function withRecord(page: OpenPage, linked: LinkedStatements): PageReading | undefined {
  const reading = describePage(page, linked);
  return reading.type === "item" && reading.evidence.includes(linked.vocabulary) ? reading : undefined;
}

function answerOf(
  reading: PageReading,
  { page, entry, problems }: { page: Page; entry: FeedEntry; problems: string[] },
): ArticleAnswer {
  if (reading.type === "not-a-page") {
    const reason = [`${reading.reason}: ${reading.detail}`, ...problems].join("; ");
    return { type: "dropped", reason, ...(reading.reason === "no-title" && { list: page }) };
  }
  const completion = completeItem(reading, entry);
  if (completion.type === "dropped")
    return { type: "dropped", reason: [completion.reason, ...problems].join("; ") };
  const ofPage = reading.problems.map((problem) => `page: ${problem}`);
  const warnings = [...completion.warnings, ...problems, ...ofPage];
  const { item } = completion;
  const list = item.itemType === "webpage" && { list: page };
  return { type: "items", items: [[item]], harvestedUrl: page.url, warnings, ...list };
}
