import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { pathOf, withQuery } from "../../console/api.ts";
import type { Html, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { originOf, originSelects, originText } from "../../console/parts/origin.ts";
import { outside } from "../../console/parts/outside.ts";
import { rowsPerPage, table } from "../../console/parts/table.ts";
import { articleOutcomes } from "../../records/runs/source-outcomes.ts";
import { hostOf } from "./sources.ts";

type Article = ArticlePage["articles"][number];

type ArticlePage = Answer<"GET /runs/{id}/articles"> & { runId: string };

/**
 * Returns the articles of the source that a run listed.
 * @returns undefined when the run is no longer stored
 */
export async function articlesOf(runId: string, { api, params, url }: PageRequest) {
  const found = await api.send("GET /runs/{id}/articles", {
    id: runId,
    source: params.id,
    outcome: url.searchParams.get("outcome") ?? undefined,
    ...originOf(url),
    after: url.searchParams.get("after") ?? undefined,
    limit: rowsPerPage,
  });
  return found.ok ? { ...found.body, runId } : undefined;
}

const tones: Record<Article["outcome"], string> = {
  delivered: "good",
  undelivered: "warning",
  refused: "bad",
  onlineFirst: "warning",
  duplicates: "quiet",
  known: "quiet",
  unusable: "bad",
  unreachable: "bad",
};

/** Renders the outcome of each article, with the reason, and links to the records. */
export function articleTable({ articles, next, runId }: ArticlePage, request: PageRequest): Html {
  const { texts, params, url } = request;
  const here = pathOf`/console/sources/${params.id ?? ""}`;
  const asked = url.searchParams.get("outcome");
  const to = (outcome?: string, after?: string) =>
    `${withQuery(here, { run: runId, outcome, ...originOf(url), after })}#articles`;
  const choices = html`<p class="actions">${[undefined, ...articleOutcomes].map((outcome) => {
    const label = outcome === undefined ? texts.source.allArticles : texts.run[outcome];
    return (asked ?? undefined) === outcome
      ? html`<strong>${label}</strong>`
      : html`<a href="${to(outcome)}">${label}</a>`;
  })}</p>`;
  const columns: Column<Article>[] = [
    { head: texts.source.article, cell: ({ title, url: address }) => title ?? address ?? "" },
    {
      head: texts.sources.state,
      cell: ({ outcome }) => html`<span class="state ${tones[outcome]}">${texts.run[outcome]}</span>`,
    },
    { head: texts.source.why, cell: ({ reason }) => reason },
    { head: texts.origins.why, cell: ({ origin }) => originText({ origin }, request) },
    {
      head: texts.source.page,
      cell: ({ url: address }) => (address ? outside(address, hostOf({ url: address })) : ""),
    },
  ];
  const filter = html`<form class="filter" action="${here}#articles" method="get" aria-label="${texts.table.filter}"><input type="hidden" name="run" value="${runId}">${asked ? html`<input type="hidden" name="outcome" value="${asked}">` : ""}${originSelects(request)}<button>${texts.table.apply}</button> <a href="${withQuery("/console/origins", { source: params.id, finding: "witnesses-disagree" })}">${texts.origins.ofSource}</a></form>`;
  return html`${choices}${filter}${table({
    request,
    caption: texts.source.articles,
    columns: columns.map((column, index) => (index === 0 ? linked(column) : column)),
    rows: articles,
    empty: texts.source.noArticle,
    pages: {
      first: url.searchParams.has("after") ? to(asked ?? undefined) : undefined,
      next: next && to(asked ?? undefined, next),
    },
  })}`;
}

/** Adds links to a column for articles that became records. */
function linked(column: Column<Article>): Column<Article> {
  return {
    ...column,
    cell: (article) =>
      article.recordId
        ? html`<a href="${pathOf`/console/records/${article.recordId}`}">${column.cell(article)}</a>`
        : column.cell(article),
  };
}
