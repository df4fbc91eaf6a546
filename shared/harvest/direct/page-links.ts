import { decodePage } from "../../metadata/page/decode-page.ts";
import { findLinks } from "../../metadata/page/html-links.ts";
import type { RunContext } from "../../runs/completion.ts";
import type { ListingResult } from "../../runs/listing-result.ts";
import type { Run } from "../../runs/run.ts";
import type { Source } from "../../sources/source.ts";
import type { SourceStore } from "../../sources/source-store.ts";
import { siteOf } from "../../web/address/site.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { OutboundRequest } from "../../web/gate/request.ts";
import { maxChoices } from "../../web/translation/choices.ts";
import type { ArticleContent, StoredPage } from "../article/parse-article-content.ts";
import { chooseLinks } from "../crawl/choose-links.ts";
import { describeDeferred, entryFromUrl } from "../listing/article-requests.ts";
import { type ListingPorts, selectArticles } from "../listing/select-articles.ts";
import { pickRequestPolicy } from "../request-policy.ts";

/** The answer of a page that describes no article. */
export type ListPageContent = Extract<ArticleContent, { type: "items" | "dropped" | "failed" }> & {
  list: StoredPage;
};

/** What a source's own page lists, read by ourselves; or the answer, which then says why nothing came of it. */
export type PageLinks =
  | { type: "links"; urls: string[]; source: Source }
  | { type: "none"; answer: ArticleContent };

/**
 * The articles that the page of a DIRECT source lists, where there is no translation server to offer them as choices: the
 * links of its site that the source's extraction expression matches. Nothing else tells an article of a stranger's page
 * from what surrounds it.
 */
export async function readPageLinks(
  answer: ListPageContent,
  sourceId: string,
  { sources, bodies }: { sources: Pick<SourceStore, "source">; bodies: BodyReader },
): Promise<PageLinks> {
  const { url, contentType, bodyKey } = answer.list;
  const source = await sources.source(sourceId);
  if (source?.crawl.extractionRegex === undefined)
    return noLinks(answer, "its list of articles is read by an extraction expression of the source alone");
  const page = decodePage(await bodies.load(bodyKey), contentType);
  const links = page.type === "text" ? findLinks(page.text, url) : [];
  const { harvest } = chooseLinks(links, siteOf(new URL(url)), source);
  const urls = harvest.filter((link) => link !== url);
  return urls.length === 0
    ? noLinks(answer, "no link of it matches the extraction expression of the source")
    : { type: "links", urls, source };
}

function noLinks(answer: ListPageContent, why: string): PageLinks {
  const warning = `the page is no article, and without a translation server ${why}`;
  if (answer.type === "items")
    return { type: "none", answer: { ...answer, warnings: [warning, ...answer.warnings] } };
  return { type: "none", answer: { ...answer, reason: `${answer.reason}; ${warning}` } };
}

/** Chooses of the listed articles those that are to be asked for, in the place of the page. */
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
    // The page itself was counted as an article: what it lists stands in its place.
    outcome: { ...outcome, entries: outcome.entries - 1, requested: selected.length - 1, dropped },
    articleRequests: [],
    // Counted where the page is.
    listingRequests: selected.map((article) => {
      const { part: _own, ...context } = article.context ?? {};
      return { ...article, context: { ...context, ...(part !== undefined && { part }) } };
    }),
  };
}
