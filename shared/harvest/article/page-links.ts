import { decodePage } from "../../formats/page/decode-page.ts";
import { findLinks } from "../../formats/page/html-links.ts";
import type { RunContext } from "../../records/runs/completion.ts";
import type { ListingResult } from "../../records/runs/listing-result.ts";
import type { Run } from "../../records/runs/run.ts";
import type { Source } from "../../records/sources/source.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { siteOf } from "../../web/address/site.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { OutboundRequest } from "../../web/request/request.ts";
import { maxChoices } from "../../web/translation/choices.ts";
import { chooseLinks } from "../crawl/choose-links.ts";
import { describeDeferred, entryFromUrl } from "../listing/article-requests.ts";
import { type ListingPorts, selectArticles } from "../listing/select-articles.ts";
import { pickRequestPolicy } from "../request-policy.ts";
import type { ArticleContent, StoredPage } from "./article-content.ts";

/** The content of a page that is not the page of an article. */
type ListPageContent = Extract<ArticleContent, { type: "items" | "dropped" | "failed" }> & {
  list: StoredPage;
};

/** The articles that a source's own page lists; or, if it lists none, the page's content with the reason. */
export type PageLinks =
  | { type: "links"; urls: string[]; source: Source }
  | { type: "none"; content: ArticleContent };

/**
 * Reads the articles that the page of a DIRECT source lists, when no translation server offers them as choices. The
 * articles are the links within the site that match the source's extraction expression. Without the expression,
 * articles cannot be distinguished from other links.
 */
export async function readPageLinks(
  content: ListPageContent,
  sourceId: string,
  { sources, bodies }: { sources: Pick<SourceStore, "source">; bodies: BodyReader },
): Promise<PageLinks> {
  const { url, contentType, bodyKey } = content.list;
  const source = await sources.source(sourceId);
  if (source?.crawl.extractionRegex === undefined)
    return noLinks(content, "its links are read only if the source has an extraction expression");
  const page = decodePage(await bodies.load(bodyKey), contentType);
  const links = page.type === "text" ? findLinks(page.text, url) : [];
  const { harvest } = chooseLinks(links, siteOf(new URL(url)), source);
  const urls = harvest.filter((link) => link !== url);
  return urls.length === 0
    ? noLinks(content, "no link on it matches the extraction expression of the source")
    : { type: "links", urls, source };
}

function noLinks(content: ListPageContent, why: string): PageLinks {
  const warning = `the page is not an article; without a translation server ${why}`;
  if (content.type === "items")
    return { type: "none", content: { ...content, warnings: [warning, ...content.warnings] } };
  return { type: "none", content: { ...content, reason: `${content.reason}; ${warning}` } };
}

/** Selects the listed articles to request. They replace the page in the source's counts. */
export async function selectListedArticles(
  { urls, source }: Extract<PageLinks, { type: "links" }>,
  request: OutboundRequest,
  { run, part }: RunContext & { run: Run },
  ports: Pick<ListingPorts, "runs" | "archive">,
): Promise<ListingResult> {
  const { sourceId, title } = source;
  const listingContext = {
    run,
    sourceId,
    title,
    listingId: request.id,
    requestPolicy: pickRequestPolicy(request),
  };
  const { outcome, articleRequests } = await selectArticles(urls.map(entryFromUrl), listingContext, ports);
  const selected = articleRequests.slice(0, maxChoices);
  const dropped = [...outcome.dropped, ...describeDeferred(articleRequests.length - selected.length)];
  return {
    // The page itself was counted as an article. The listed articles replace it.
    outcome: { ...outcome, entries: outcome.entries - 1, requested: selected.length - 1, dropped },
    articleRequests: [],
    // The articles are counted in the tally of the page, not in separate parts.
    listingRequests: selected.map((article) => {
      const { part: _own, ...context } = article.context ?? {};
      return { ...article, context: { ...context, ...(part !== undefined && { part }) } };
    }),
  };
}
