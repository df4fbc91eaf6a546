import type { BodyStore } from "../ports.ts";
import { describeMiss, type InboundResponse, isFound, type ResponseOutcome } from "../web/gate/request.ts";
import type { Choices } from "../web/translation/choices.ts";
import { completeItem } from "./complete-item.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";
import type { ZoteroItem } from "./item.ts";
import { readPage } from "./page/read-page.ts";
import { readTranslation } from "./translation/read-translation.ts";

/** What the answer to a request for an article holds. */
export type ArticleAnswer =
  /** Items, each with the notes that follow it. */
  | { type: "items"; items: ZoteroItem[][]; harvestedUrl: string }
  | { type: "choices"; choices: Choices }
  /** Nothing, which the translation server says of good pages too now and then. */
  | { type: "empty" }
  | { type: "dropped" | "failed"; reason: string };

type Answered = Extract<ResponseOutcome, { type: "answered" }>;

export async function readArticleAnswer(
  { request, outcome }: InboundResponse,
  entry: FeedEntry,
  bodies: BodyStore,
): Promise<ArticleAnswer> {
  if (outcome.type !== "answered") return { type: "failed", reason: describeMiss(outcome) };
  const bytes = outcome.bodyKey === undefined ? new Uint8Array() : await bodies.body(outcome.bodyKey);
  if (outcome.translated === undefined) return ownReading(outcome, bytes, entry);
  const { status, translated } = outcome;
  const reading = readTranslation({ status, bytes, translated, url: request.url });
  return reading.type === "items" ? { ...reading, harvestedUrl: request.url } : reading;
}

/** The item that the page's own metadata give, completed by what its feed said. */
function ownReading(outcome: Answered, bytes: Uint8Array, entry: FeedEntry): ArticleAnswer {
  if (!isFound(outcome)) return { type: "failed", reason: describeMiss(outcome) };
  const contentType = outcome.headers["content-type"];
  const page = readPage(bytes, { url: outcome.url, ...(contentType !== undefined && { contentType }) });
  if (page.type === "not-a-page") return { type: "dropped", reason: `${page.reason}: ${page.detail}` };
  return { type: "items", items: [[completeItem(page.item, entry)]], harvestedUrl: outcome.url };
}
