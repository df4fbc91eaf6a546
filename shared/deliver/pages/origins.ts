import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { pathOf, withQuery } from "../../console/api.ts";
import type { Page, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { toCsv } from "../../console/parts/csv.ts";
import { originOf, originSelects, originText } from "../../console/parts/origin.ts";
import { state } from "../../console/parts/state.ts";
import { rowsPerPage, selectOf, table, wantsCsv } from "../../console/parts/table.ts";
import { published } from "../../console/parts/time.ts";

type RecordOrigin = Answer<"GET /record-origins">["records"][number];

/** The records of retracted and corrected articles, and those of a source by the witnesses of their fields. */
const origins: Page = {
  method: "GET",
  path: "/console/origins",
  audience: "viewer",
  section: "records",
  answer: async (request) => {
    const { api, texts, url } = request;
    const words = texts.origins;
    const source = url.searchParams.get("source") ?? "";
    const stated = url.searchParams.get("state") ?? "";
    const asked = originOf(url);
    const isNotice = asked.finding === "article-retracted" || asked.finding === "article-corrected";
    const selection = { ...asked, ...(source && { source }), ...(stated && { state: stated }) };
    const isComplete = isNotice || (source !== "" && Object.keys(asked).length > 0);
    const columns = columnsOf(request);
    if (wantsCsv(request)) {
      const all = isComplete ? await api.all("/record-origins", "records", { ...selection, limit: 200 }) : [];
      return { csv: toCsv(columns, all), fileName: "record-origins.csv" };
    }
    const after = url.searchParams.get("after") ?? undefined;
    const page = isComplete
      ? await api.get("/record-origins", { ...selection, after, limit: rowsPerPage })
      : { records: [] };
    const next = "next" in page ? page.next : undefined;
    const to = (from?: string) => withQuery(url.pathname, { ...selection, after: from });
    const body = html`
<div class="heading"><h1>${words.title}</h1></div>
<p>${words.intro}</p>
<form class="filter" method="get" role="search" aria-label="${texts.table.filter}">${originSelects(request)}
<label>${words.source} <input name="source" value="${source}"></label>
${selectOf({ name: "state", label: words.state, options: { "": words.all, delivered: words.delivered } }, url)}
<button>${texts.table.apply}</button></form>
${table({
  request,
  caption: words.title,
  columns,
  rows: page.records,
  link: ({ recordId }) => pathOf`/console/records/${recordId}`,
  empty: isComplete ? (next ? words.more : words.empty) : words.needsSource,
  pages: { first: after && to(), next: next && to(next) },
  hasCsv: true,
})}`;
    return { title: words.title, body };
  },
};

function columnsOf(request: PageRequest): Column<RecordOrigin>[] {
  const { texts } = request;
  return [
    { head: texts.record.title, cell: ({ title }) => title },
    {
      head: texts.record.source,
      cell: ({ sourceId }) => html`<a href="${pathOf`/console/sources/${sourceId}`}">${sourceId}</a>`,
      csv: ({ sourceId }) => sourceId,
    },
    {
      head: texts.records.published,
      cell: ({ syndicatedAt }) => published(syndicatedAt, request),
      csv: ({ syndicatedAt }) => syndicatedAt,
    },
    {
      head: texts.record.state,
      cell: (record) => state(record.state, texts),
      csv: (record) => record.state,
    },
    { head: texts.origins.why, cell: (record) => originText(record, request) },
  ];
}

export const originPages: readonly Page[] = [origins];
