import { html, raw } from "hono/html";
import { type Article, articlePath, articles, journal as demoJournal } from "./articles.ts";
import { dublinCoreTags } from "./dublin-core.ts";
import { highwireTags } from "./highwire.ts";
import { scholarlyArticle } from "./json-ld.ts";
import { layout, type Markup } from "./layout.ts";

/** Renders the landing page of an article, with abstract and metadata. */
export function articlePage(article: Article, origin: string): Promise<string> {
  const { title, language, abstract, keywords, journal = demoJournal } = article;
  const url = origin + articlePath(article);
  return layout({
    // The fallback is empty, not the journal's name, because a harvester would use the name as the missing
    // title.
    title: title ?? "",
    language,
    head: html`<link rel="canonical" href="${url}">
<link rel="license" href="${journal.licenceUrl}">
${metadata(article, url)}`,
    main: html`${title === undefined ? "" : html`<h1>${title}</h1>`}
<p>${authorNames(article)}</p>
<p class="quiet" lang="en">${citation(article)}<br>Published <time>${article.published}</time> · DOI ${article.doi}</p>
<p>${abstract}</p>
<p class="quiet">${keywords.join(" · ")}</p>
<p class="quiet" lang="en">Free to read and to share under <a rel="license" href="${journal.licenceUrl}">CC BY 4.0</a>.</p>`,
  });
}

/** Renders the table of contents of the demo journal, in the order of the issue. */
export function indexPage(): Promise<string> {
  const journal = demoJournal;
  return layout({
    title: `${journal.title}: ${journal.subtitle}`,
    language: "en",
    main: html`<h1>Volume ${journal.volume}, issue ${journal.issue}</h1>
<ul>
${articles.map(contentsLine)}</ul>
<p><a href="/feed.xml">Follow the journal by RSS</a></p>`,
  });
}

export function notFoundPage(): Promise<string> {
  return layout({
    title: "Not found",
    language: "en",
    main: html`<h1>Nothing here</h1>
<p>This page was never finished, or it was moved without a note. The <a href="/">table of contents</a> knows the others.</p>`,
  });
}

function metadata(article: Article, url: string): Markup[] {
  const tags = [
    ...(article.vocabularies.includes("highwire") ? highwireTags(article, url) : []),
    ...(article.vocabularies.includes("dublin-core") ? dublinCoreTags(article, url) : []),
  ];
  const lines = tags
    .filter(([, content]) => content !== undefined)
    .map(([name, content]) => html`<meta name="${name}" content="${content}">\n`);
  if (!article.vocabularies.includes("json-ld")) return lines;
  // HTML escapes do not apply inside a script; "<" is encoded so that no text can close the script.
  const json = JSON.stringify(scholarlyArticle(article, url), null, 1).replaceAll("<", "\\u003c");
  return [...lines, html`<script type="application/ld+json">${raw(json)}</script>`];
}

function contentsLine(article: Article): Markup {
  const title = article.title ?? "(without a title)";
  return html`<li><a href="${articlePath(article)}" lang="${article.language}">${title}</a><br>
<span class="quiet">${authorNames(article)}</span></li>
`;
}

function authorNames({ authors }: Article): string {
  return authors.map(({ given, family }) => `${given} ${family}`).join(", ");
}

function citation({ pages, articleNumber, journal = demoJournal }: Article): string {
  const { title, volume, issue } = journal;
  if (volume === undefined) return `${title}, not in an issue yet`;
  const place = pages === undefined ? `article ${articleNumber}` : `pages ${pages.join("–")}`;
  return `${title} ${volume} (${issue}), ${place}`;
}
