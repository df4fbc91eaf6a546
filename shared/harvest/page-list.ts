import type { BodyStore, SourceStore } from "../ports.ts";
import type { Source } from "../sources/source.ts";
import type { OutboundRequest } from "../web/gate/request.ts";
import { mostChoices } from "../web/translation/choices.ts";
import type { ArticleAnswer, Page } from "./article-answer.ts";
import { bareEntry, leftOver, mannersOf } from "./article-requests.ts";
import type { Counted } from "./completion.ts";
import { chooseLinks } from "./crawl/choose-links.ts";
import { linksOf } from "./crawl/links.ts";
import { siteOf } from "./crawl/site.ts";
import { type Listing, type ListingPorts, listArticles } from "./listing.ts";
import { decodePage } from "./page/decode.ts";
import type { Run } from "./run.ts";

/** The answer of a page that describes no article. */
export type ListAnswer = Extract<ArticleAnswer, { type: "items" | "dropped" | "failed" }> & { list: Page };

/** What a source's own page lists, read by ourselves; or the answer, which then says why nothing came of it. */
export type PageList =
  | { type: "links"; urls: string[]; source: Source }
  | { type: "none"; answer: ArticleAnswer };

/**
 * The articles that the page of a DIRECT source lists, where there is no translation server to offer them as choices: the
 * links of its site that the source's extraction expression matches. Nothing else tells an article of a stranger's page
 * from what surrounds it.
 */
export async function readPageList(
  answer: ListAnswer,
  sourceId: string,
  { sources, bodies }: { sources: Pick<SourceStore, "source">; bodies: BodyStore },
): Promise<PageList> {
  const { url, contentType, bodyKey } = answer.list;
  const source = await sources.source(sourceId);
  if (source?.crawl.extractionRegex === undefined)
    return none(answer, "its list of articles is read by an extraction expression of the source alone");
  const page = decodePage(await bodies.body(bodyKey), contentType);
  const links = page.type === "text" ? linksOf(page.text, url) : [];
  const { harvest } = chooseLinks(links, siteOf(new URL(url)), source);
  const urls = harvest.filter((link) => link !== url);
  return urls.length === 0
    ? none(answer, "no link of it matches the extraction expression of the source")
    : { type: "links", urls, source };
}

function none(answer: ListAnswer, why: string): PageList {
  const told = `the page is no article, and without a translation server ${why}`;
  if (answer.type === "items")
    return { type: "none", answer: { ...answer, warnings: [told, ...answer.warnings] } };
  return { type: "none", answer: { ...answer, reason: `${answer.reason}; ${told}` } };
}

/** Chooses of the listed articles those that are to be asked for, in the place of the page. */
export async function takeListed(
  { urls, source }: Extract<PageList, { type: "links" }>,
  request: OutboundRequest,
  { run, part }: Counted & { run: Run },
  ports: Pick<ListingPorts, "runs" | "archive">,
): Promise<Listing> {
  const { sourceId, title } = source;
  const at = { run, sourceId, title, listingId: request.id, manners: mannersOf(request) };
  const { outcome, articles } = await listArticles(urls.map(bareEntry), at, ports);
  const taken = articles.slice(0, mostChoices);
  const dropped = [...outcome.dropped, ...leftOver(articles.length - taken.length)];
  return {
    // The page itself was counted as an article: what it lists stands in its place.
    outcome: { ...outcome, entries: outcome.entries - 1, requested: taken.length - 1, dropped },
    articles: [],
    // Counted where the page is.
    pages: taken.map((article) => {
      const { part: _own, ...context } = article.context ?? {};
      return { ...article, context: { ...context, ...(part !== undefined && { part }) } };
    }),
  };
}
