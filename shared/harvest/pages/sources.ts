import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { pathOf } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { barChart, sparkBars } from "../../console/parts/chart.ts";
import type { Column } from "../../console/parts/column.ts";
import { toCsv } from "../../console/parts/csv.ts";
import { state } from "../../console/parts/state.ts";
import { changed, rowsPerPage, table, wantsCsv } from "../../console/parts/table.ts";
import { exactTime, localDay, time } from "../../console/parts/time.ts";
import { sourceStates } from "../../records/sources/source-state.ts";
import { sourceTypes } from "../../records/sources/source-type.ts";

export type ListedSource = Answer<"GET /sources">["sources"][number];

type Brought = Pick<Answer<"GET /sources/{id}/runs">["runs"][number], "startedAt" | "delivered">;

const trendDays = 14;

/** The list of all sources, with their states and latest results. */
const sources: Page = {
  method: "GET",
  path: "/console/sources",
  audience: "viewer",
  section: "sources",
  isEntry: true,
  answer: async (request) => {
    const { api, texts, url } = request;
    const asked = Object.fromEntries(filters.map((name) => [name, url.searchParams.get(name) ?? undefined]));
    const columns = columnsOf(request);
    if (wantsCsv(request)) {
      const all = await api.all("/sources", "sources", { ...asked, status: "true", limit: 1000 });
      return { csv: toCsv(columns, all), fileName: "sources.csv" };
    }
    const after = url.searchParams.get("after") ?? undefined;
    const page = await api.get("/sources", {
      ...asked,
      status: "true",
      limit: rowsPerPage,
      after,
    });
    const shown = table({
      request,
      caption: texts.sources.caption,
      columns,
      rows: page.sources,
      link: ({ sourceId }) => pathOf`/console/sources/${sourceId}`,
      empty: texts.sources.empty,
      filter: { label: texts.sources.filter, choices: choicesOf(request) },
      hasCsv: true,
      pages: {
        first: after && changed(url, { after: undefined }),
        next: page.next && changed(url, { after: page.next }),
      },
    });
    const body = html`<div class="heading"><h1>${texts.sources.title}</h1>${adding(request)}</div>${shown}`;
    return { title: texts.sources.title, body };
  },
};

const filters = ["q", "type", "mode", "state"] as const;

function choicesOf({ texts }: PageRequest) {
  return [
    {
      name: "type",
      label: texts.sources.type,
      options: { "": texts.sources.allTypes, ...Object.fromEntries(sourceTypes.map((type) => [type, type])) },
    },
    {
      name: "mode",
      label: texts.sources.mode,
      options: { "": texts.sources.allModes, ...texts.sources.modes },
    },
    {
      name: "state",
      label: texts.sources.state,
      options: {
        "": texts.sources.allStates,
        ...Object.fromEntries(sourceStates.map((name) => [name, texts.states[name]])),
      },
    },
  ];
}

function columnsOf(request: PageRequest): Column<ListedSource>[] {
  const { texts } = request;
  return [
    { head: texts.sources.source, cell: ({ title, sourceId }) => title ?? sourceId },
    { head: "Id", cell: ({ sourceId }) => sourceId },
    {
      head: texts.sources.state,
      cell: (row) => row.state && state(row.state, texts),
      csv: (row) => row.state,
    },
    { head: texts.sources.type, cell: ({ type }) => type },
    {
      head: texts.sources.mode,
      cell: ({ deliveryMode }) => deliveryMode && texts.sources.modes[deliveryMode],
    },
    { head: texts.sources.host, cell: hostOf },
    {
      head: texts.sources.lastDelivery,
      cell: ({ lastDeliveredAt }) => (lastDeliveredAt === undefined ? "" : time(lastDeliveredAt, request)),
      csv: ({ lastDeliveredAt }) => lastDeliveredAt && exactTime(new Date(lastDeliveredAt), request),
    },
    {
      head: texts.sources.trend,
      cell: ({ recentRuns = [] }) => smallTrend(recentRuns, request),
      csv: ({ recentRuns = [] }) =>
        perDay(recentRuns, request)
          .map(({ value }) => value)
          .join(" "),
    },
  ];
}

/** Returns the number of records that a source delivered on each of the last days. */
export function perDay(runs: readonly Brought[], { now, zone }: PageRequest) {
  const ofDays = new Map<string, number>();
  for (const { startedAt, delivered } of runs) {
    const day = localDay(new Date(startedAt), zone);
    ofDays.set(day, (ofDays.get(day) ?? 0) + delivered);
  }
  return Array.from({ length: trendDays }, (_, index) => {
    const label = localDay(new Date(now.getTime() - (trendDays - 1 - index) * 86_400_000), zone);
    return { label, value: ofDays.get(label) ?? 0 };
  });
}

export function trend(runs: readonly Brought[], request: PageRequest): Html {
  const days = perDay(runs, request);
  const total = days.reduce((sum, { value }) => sum + value, 0);
  return barChart(days, { summary: request.texts.today.chart(total, trendDays) });
}

function smallTrend(runs: readonly Brought[], request: PageRequest): Html {
  const values = perDay(runs, request).map(({ value }) => value);
  const total = values.reduce((sum, value) => sum + value, 0);
  return sparkBars(values, { summary: request.texts.today.chart(total, trendDays) });
}

/**
 * Returns the host of a source.
 * @returns undefined for an address that is not a URL, such as that of a mail source
 */
export function hostOf({ url }: Pick<ListedSource, "url">): string | undefined {
  return (url === undefined ? null : URL.parse(url))?.host || undefined;
}

function adding({ caller, texts }: PageRequest): Html {
  const recipes = html`<a class="button" href="/console/recipes">${texts.recipes.title}</a>`;
  if (!mayActAs(caller.role, "operator")) return html`<div class="actions">${recipes}</div>`;
  return html`<div class="actions"><a class="button main" href="/console/sources/add">${texts.sources.add}</a><a class="button" href="/console/sources/import">${texts.sources.import}</a>${recipes}</div>`;
}

export const sourceListPages: readonly Page[] = [sources];
