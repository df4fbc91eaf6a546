// Input: the response of the translation server. Output: what it says about its articles, or the request for the page
// that it has translated. Called by parse-article-content.ts.

import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import type { OutboundRequest } from "../../web/request/request.ts";
import type { ResponseOutcome } from "../../web/request/response.ts";
import { type TranslationResult, translationOptionsOf } from "../../web/translation/translation-options.ts";
import { feedStatement } from "../witnesses/feed-statement.ts";
import type { Statement } from "../witnesses/statement.ts";
import type { ArticleContent, Statements } from "./article-content.ts";
import { parseTranslation } from "./parse-translation.ts";

/** Parses the response of the translation server. If it has translated one page, this page must be read as well. */
export function parseTranslatedContent(
  request: OutboundRequest,
  answer: {
    outcome: Extract<ResponseOutcome, { type: "answered" }>;
    result: TranslationResult;
    bytes: Uint8Array;
  },
  { entry }: { entry: FeedEntry },
): ArticleContent {
  const { translated } = answer.result;
  const { status, bodyKey = "" } = answer.outcome;
  const { url } = request;
  const isSearch = translationOptionsOf(request)?.search !== undefined;
  const translation = parseTranslation({ status, bytes: answer.bytes, translated, url, isSearch });
  if (translation.type !== "items") return translation;
  const [only, ...others] = translation.items;
  const isOwnPage = only !== undefined && others.length === 0 && !isSearch && translated !== "choices";
  if (isOwnPage && translated === "page") return { type: "translated", bodyKey };
  const feed = isOwnPage ? [feedStatement(entry)] : [];
  const articles = translation.items.map(
    (item): Statements => [{ witness: "translation-server", item }, ...feed],
  );
  return { type: "items", articles, harvestedUrl: url, warnings: [] };
}

/** Adds the translation of a page to what the page and its feed entry say. */
export function addTranslation(
  content: ArticleContent,
  bytes: Uint8Array,
  { entry, url }: { entry: FeedEntry; url: string },
): ArticleContent {
  const translation = parseTranslation({ status: 200, bytes, translated: "page", url });
  const [item] = translation.type === "items" ? translation.items : [];
  if (item === undefined) return content;
  const translated: Statement = { witness: "translation-server", item };
  if (content.type === "items") {
    const { list: _list, ...read } = content;
    return {
      ...read,
      articles: content.articles.map((statements): Statements => [...statements, translated]),
    };
  }
  const reason = "reason" in content ? content.reason : content.type;
  const warnings = [`the page could not be used, only its translation: ${reason}`];
  return { type: "items", articles: [[translated, feedStatement(entry)]], harvestedUrl: url, warnings };
}
