import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { toCsv } from "../../console/parts/csv.ts";
import { state } from "../../console/parts/state.ts";
import { rowsPerPage, table, wantsCsv } from "../../console/parts/table.ts";
import { published, time } from "../../console/parts/time.ts";

type ListedRecord = Answer<"GET /records">["records"][number];

/** The records of a collection, or the records whose links are suppressed or deleted, with a search for any record. */
const records: Page = {
  method: "GET",
  path: "/console/records",
  audience: "viewer",
  section: "records",
  isEntry: true,
  answer: async (request) => {
    const { api, texts, url } = request;
    const collection = url.searchParams.get("collection") ?? "";
    const asked = url.searchParams.get("state") ?? "";
    const stated = asked === "" && collection === "" ? "suppressed" : asked;
    const after = url.searchParams.get("after") ?? undefined;
    const columns = columnsOf(collection, request);
    const meant = { collection, state: stated };
    if (wantsCsv(request)) {
      const all = await api.all("/records", "records", { ...meant, limit: 200 });
      return { csv: toCsv(columns, all), fileName: "records.csv" };
    }
    const isStart = collection === "" && asked === "" && after === undefined;
    const [page, latest] = await Promise.all([
      api.get("/records", {
        ...meant,
        after,
        limit: rowsPerPage,
      }),
      isStart ? latestDelivered(request) : undefined,
    ]);
    const to = (next?: string) => withQuery(url.pathname, { collection, state: stated, after: next });
    const body = html`
<div class="heading"><h1>${texts.records.title}</h1><div class="actions"><a class="button" href="/console/origins?finding=article-retracted&amp;state=delivered">${texts.origins.open}</a></div></div>
${finder(request)}
${latest ?? ""}
<h2>${collection === "" ? texts.records.withState(texts.states[stated === "deleted" ? "deleted" : "suppressed"]) : texts.records.ofCollection(collection)}</h2>
<p class="actions">${(["suppressed", "deleted"] as const).map((each) =>
      stated === each
        ? html`<strong>${texts.states[each]}</strong>`
        : html`<a href="${withQuery(url.pathname, { collection, state: each })}">${texts.states[each]}</a>`,
    )}</p>
${table({
  request,
  caption: texts.records.title,
  columns,
  rows: page.records,
  link: ({ recordId }) => pathOf`/console/records/${recordId}`,
  empty: texts.records.empty,
  pages: { first: after && to(), next: page.next && to(page.next) },
  hasCsv: true,
})}`;
    return { title: texts.records.title, body };
  },
};

const shownSources = 10;

/** Renders the results of the last run with deliveries, by source, which link to records without problems. */
async function latestDelivered(request: PageRequest): Promise<Html> {
  const { api, texts } = request;
  const { runs } = await api.get("/runs", { limit: 10 });
  const run = runs.find(({ figures }) => (figures?.delivered ?? 0) > 0);
  if (run === undefined) return html``;
  const { sources } = await api.get("/runs/{id}", {
    id: run.runId,
    outcome: "delivered",
    limit: shownSources,
  });
  const to = (sourceId: string) =>
    `${withQuery(pathOf`/console/sources/${sourceId}`, { run: run.runId, outcome: "delivered" })}#articles`;
  return html`<h2>${texts.records.delivered} ${time(run.startedAt, request)}</h2>
<ul class="tasks">${sources.map(({ sourceId, title, delivered }) => html`<li><span>${title}</span><a href="${to(sourceId)}">${texts.records.count(delivered)}<span class="hidden">: ${title}</span></a></li>`)}</ul>
<p><a href="${withQuery(pathOf`/console/runs/${run.runId}`, { outcome: "delivered" })}">${texts.records.wholeRun}</a></p>`;
}

function columnsOf(collection: string, request: PageRequest): Column<ListedRecord>[] {
  const { texts } = request;
  return [
    { head: texts.record.title, cell: ({ title }) => title },
    {
      head: texts.records.published,
      cell: ({ syndicatedAt }) => published(syndicatedAt, request),
      csv: ({ syndicatedAt }) => syndicatedAt,
    },
    { head: texts.source.collection, cell: ({ collectionId }) => collectionId ?? collection },
    {
      head: texts.record.link,
      cell: ({ link }) => (link ? html`${state(link.status, texts)} ${texts.reason(link.reason)}` : ""),
      csv: ({ link }) => link && `${link.status}: ${link.reason}`,
    },
    {
      head: texts.records.nextAttempt,
      cell: ({ link }) => (link?.nextAttemptAt ? time(link.nextAttemptAt, request) : ""),
      csv: ({ link }) => link?.nextAttemptAt,
    },
  ];
}

function finder({ texts, url }: PageRequest): Html {
  return html`<form class="filter" action="/console/search" method="get" aria-label="${texts.records.find}"><label>${texts.records.find} <input type="search" name="q"></label><button>${texts.frame.search}</button></form>
<form class="filter" action="${url.pathname}" method="get" aria-label="${texts.source.collection}"><label>${texts.source.collection} <input name="collection" value="${url.searchParams.get("collection") ?? ""}"></label><button>${texts.table.apply}</button></form>`;
}

export const recordListPages: readonly Page[] = [records];
