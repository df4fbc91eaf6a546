// Input: the response to an article request. Output: what the witnesses of its articles say, or the next request that is
// needed to know it.
// Called by read-article-response.ts.

import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import type { LinkedMetadata } from "../../formats/page/linked-metadata.ts";
import { buildPageReading, type PageReading, parsePage, readPageItem } from "../../formats/page/read-page.ts";
import type { NamedRecipe } from "../../formats/page/recipes/recipe.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import { describeUnusableOutcome, type InboundResponse, isUsableAnswer } from "../../web/request/response.ts";
import { translationResultOf } from "../../web/translation/translation-options.ts";
import { loadBody } from "../load-body.ts";
import type { RecipeStore } from "../recipes/recipe-store.ts";
import { mergeStatements } from "../witnesses/merge-statements.ts";
import type { Statement } from "../witnesses/statement.ts";
import type { ArticleContent, KnownBefore, StoredPage } from "./article-content.ts";
import {
  describeForeignRecords,
  isIncomplete,
  type LinkedMetadataContext,
  nextLinkedRequest,
  parseLinkedAnswer,
} from "./linked-metadata-request.ts";
import { pageStatements, siteStatements } from "./page-statements.ts";
import { addTranslation, parseTranslatedContent } from "./translated-content.ts";

export interface PagePorts {
  bodies: BodyReader;
  recipes: Pick<RecipeStore, "list">;
}

/**
 * Parses the response to an article request. The response comes from the translation server, from the page itself, or
 * from a record that the page links to. The page is read even if the server has translated it, because a translator may
 * miss what the page says. If the page cannot be used, the translation alone is returned.
 */
export async function parseArticleContent(
  response: InboundResponse,
  known: KnownBefore,
  ports: PagePorts,
): Promise<ArticleContent> {
  const { bodies } = ports;
  const { request, outcome } = response;
  const result = translationResultOf(outcome);
  if (result !== undefined && known.linked === undefined && outcome.type === "answered")
    return parseTranslatedContent(
      request,
      { outcome, result, bytes: await loadBody(outcome, bodies) },
      known,
    );
  const content = await parseOwnContent(response, known, ports);
  const { translation } = known;
  if (translation === undefined || content.type === "linked") return content;
  return addTranslation(content, await bodies.load(translation.bodyKey), { ...known, url: request.url });
}

/** Parses the response of the page itself, or of a record that the page links to. */
async function parseOwnContent(
  { outcome }: InboundResponse,
  { entry, linked }: KnownBefore,
  { bodies, recipes }: PagePorts,
): Promise<ArticleContent> {
  const bytes = await loadBody(outcome, bodies);
  if (linked !== undefined) {
    const page = await bodies.load(linked.page.bodyKey);
    return parseLinkedContent(page, linked, {
      entry,
      answer: { outcome, bytes },
      recipes: await recipes.list(),
    });
  }
  if (outcome.type !== "answered" || !isUsableAnswer(outcome))
    return { type: "failed", reason: describeUnusableOutcome(outcome) };
  const contentType = outcome.headers["content-type"];
  const { url, bodyKey = "" } = outcome;
  const page = { url, bodyKey, ...(contentType !== undefined && { contentType }) };
  // The warnings of pages that break the rules of HTTP, and of redirects to such pages.
  const tolerated = new Set(outcome.hops.flatMap(({ warning }) => warning ?? []));
  return parsePageContent(bytes, page, {
    entry,
    tolerated: [...tolerated],
    recipes: await recipes.list(),
  });
}

/**
 * Returns the statements of the page and its feed entry, or the request for a linked record when these are incomplete.
 */
function parsePageContent(
  bytes: Uint8Array,
  page: StoredPage,
  { entry, tolerated, recipes }: { entry: FeedEntry; tolerated: string[]; recipes: readonly NamedRecipe[] },
): ArticleContent {
  const reading = readPageItem(bytes, { ...page, recipes });
  const read = reading.type === "item" ? pageStatements(reading, entry) : undefined;
  const isComplete = read?.type === "statements" && !isIncomplete(mergeStatements(read.statements).item);
  const records = reading.linked ?? [];
  const problems = [...tolerated, ...(isComplete ? [] : describeForeignRecords(records, page.url))];
  const next = isComplete ? undefined : nextLinkedRequest(records, { page, index: 0, problems });
  return next === undefined ? buildContent(reading, { page, entry, problems }) : { type: "linked", next };
}

/**
 * Returns the statements of the page and its linked record. If the record is unusable, returns the request for the next
 * record, or the statements of the page alone.
 */
function parseLinkedContent(
  bytes: Uint8Array,
  linked: LinkedMetadataContext,
  {
    entry,
    answer,
    recipes,
  }: {
    entry: FeedEntry;
    answer: Parameters<typeof parseLinkedAnswer>[2];
    recipes: readonly NamedRecipe[];
  },
): ArticleContent {
  const { page, index } = linked;
  const parsed = parsePage(bytes, { ...page, recipes });
  const pageAlone = parsed.type === "parsed" ? buildPageReading(parsed) : parsed;
  const records: LinkedMetadata[] = pageAlone.linked ?? [];
  const result = parseLinkedAnswer(records, linked, answer);
  if (result.type === "request") return { type: "linked", next: result.request };
  if (result.type === "metadata" && parsed.type === "parsed") {
    const { metadata } = result;
    const reading = buildPageReading(parsed, metadata);
    if (reading.type === "item" && reading.evidence.includes(metadata.vocabulary)) {
      const site = siteStatements(parsed, metadata, reading);
      return buildContent(reading, { page, entry, problems: linked.problems, site });
    }
  }
  const problem =
    result.type === "unusable"
      ? result.problem
      : "the page's linked record is about another work and was not used";
  const problems = [...linked.problems, problem];
  const next = nextLinkedRequest(records, { page, index: index + 1, problems });
  return next === undefined ? buildContent(pageAlone, { page, entry, problems }) : { type: "linked", next };
}

/** @param context.site the statements of the page with its linked record; by default, only those of the page */
function buildContent(
  reading: PageReading,
  {
    page,
    entry,
    problems,
    site,
  }: { page: StoredPage; entry: FeedEntry; problems: string[]; site?: Statement[] },
): ArticleContent {
  if (reading.type === "not-a-page") {
    const reason = [`${reading.reason}: ${reading.detail}`, ...problems].join("; ");
    return { type: "dropped", reason, ...(reading.reason === "no-title" && { list: page }) };
  }
  const read = pageStatements(reading, entry, site);
  if (read.type === "dropped") return { type: "dropped", reason: [read.reason, ...problems].join("; ") };
  const { statements } = read;
  const pageProblems = reading.problems.map((problem) => `page: ${problem}`);
  const warnings = [...read.warnings, ...problems, ...pageProblems];
  const isWebPage = mergeStatements(statements).item.itemType === "webpage";
  const list = isWebPage && { list: page };
  return { type: "items", articles: [statements], harvestedUrl: page.url, warnings, ...list };
}
