import { html } from "hono/html";
import { mayActAs } from "../api/role.ts";
import { sourceTypes } from "../sources/source.ts";
import { pathOf } from "./api.ts";
import type { Need } from "./need-sentence.ts";
import type { Html, Page, PageAnswer, PageRequest } from "./page.ts";
import { barChart, sparkBars } from "./parts/chart.ts";
import type { Column } from "./parts/column.ts";
import { state } from "./parts/state.ts";
import { changed, matchesFilter, pageOf, rowsPerPage, table, wantsCsv, wholeList } from "./parts/table.ts";
import { exactTime, localDay, time } from "./parts/time.ts";

/** A source, as the API lists it; one that is not valid has `problem`. */
export interface ListedSource {
  sourceId: string;
  title?: string;
  type?: string;
  url?: string;
  groupId?: string;
  deliveryMode?: "LIVE" | "TEST" | "NONE";
  paused?: boolean;
  problem?: string;
}

/** What a run brought of a source. */
export interface SourceRun {
  sourceId: string;
  runId: string;
  startedAt: string;
  state: "read" | "failed";
  reason?: string;
  entries: number;
  delivered: number;
  undelivered: number;
  refused: number;
  known: number;
  onlineFirst: number;
  duplicates: number;
  unusable: number;
  unreachable: number;
  unanswered: number;
}

interface Row extends ListedSource {
  state: string;
  lastDeliveredAt?: string | undefined;
}

const trendDays = 14;

/** Every source, with its state and what it brought lately. */
const sources: Page = {
  method: "GET",
  path: "/console/sources",
  audience: "viewer",
  section: "sources",
  isEntry: true,
  answer: (request) => (isWhole(request) ? allSources(request) : pageOfSources(request)),
};

const filters = ["q", "type", "mode", "state"];

/** Whether all sources must be read: to filter them, or for CSV. */
function isWhole(request: PageRequest): boolean {
  return wantsCsv(request) || filters.some((name) => (request.url.searchParams.get(name) ?? "") !== "");
}

/** One page of the list, without reading the others. */
async function pageOfSources(request: PageRequest): Promise<PageAnswer> {
  const { api, texts, url } = request;
  const after = url.searchParams.get("after") ?? undefined;
  const [page, { needs }] = await Promise.all([
    api.get<{ sources: ListedSource[]; next?: string }>("/sources", { limit: rowsPerPage, after }),
    api.get<{ needs: Need[] }>("/today"),
  ]);
  const runs = await latestRuns(page.sources, request);
  const rows = page.sources.map((source) => ({ ...source, state: stateOf(source, needs, runs) }));
  const { around, ...parts } = partsOf(runs, request);
  const shown = table({
    ...parts,
    rows,
    hasCsv: true,
    pages: {
      first: after && changed(url, { after: undefined }),
      next: page.next && changed(url, { after: page.next }),
    },
  });
  return { title: texts.sources.title, body: around(shown) };
}

/** The sources that the filter leaves. */
async function allSources(request: PageRequest): Promise<PageAnswer> {
  const { api, texts } = request;
  const [all, { needs }] = await Promise.all([
    api.all<ListedSource>("/sources", "sources", { limit: 1000 }),
    api.get<{ needs: Need[] }>("/today"),
  ]);
  // The state follows from the last run: to ask for one, the runs of all are read.
  const needsRuns = wantsCsv(request) || (request.url.searchParams.get("state") ?? "") !== "";
  const runsOfAll = needsRuns ? await latestRuns(all, request) : new Map<string, SourceRun[]>();
  const known = all.map((source) => ({ ...source, state: stateOf(source, needs, runsOfAll) }));
  const asked = known.filter((row) => isAsked(row, request));
  const runs = needsRuns ? runsOfAll : await latestRuns(pageOf(request, asked).shown, request);
  const rows = asked.map((row) => ({ ...row, state: stateOf(row, needs, runs) }));
  return wholeList({
    ...partsOf(runs, request),
    rows,
    title: texts.sources.title,
    fileName: "sources.csv",
  });
}

function partsOf(runs: ReadonlyMap<string, SourceRun[]>, request: PageRequest) {
  const { texts } = request;
  return {
    request,
    caption: texts.sources.caption,
    columns: columnsOf(runs, request),
    link: ({ sourceId }: Row) => pathOf`/console/sources/${sourceId}`,
    empty: texts.sources.empty,
    filter: { label: texts.sources.filter, choices: choicesOf(request) },
    around: (shown: Html) =>
      html`<div class="heading"><h1>${texts.sources.title}</h1>${adding(request)}</div>${shown}`,
  };
}

/** What must be looked at first wins. */
function stateOf(
  source: ListedSource,
  needs: readonly Need[],
  runs: ReadonlyMap<string, SourceRun[]>,
): string {
  if (source.problem !== undefined) return "failed";
  if (source.paused) return "paused";
  const host = hostOf(source);
  if (needs.some((need) => need.type === "host-unavailable" && need.hostKey === host)) return "unavailable";
  if (needs.some((need) => need.type === "overdue" && need.sourceId === source.sourceId)) return "overdue";
  if (source.deliveryMode === "NONE") return "off";
  return runs.get(source.sourceId)?.[0]?.state === "failed" ? "failed" : "active";
}

function isAsked(row: Row, request: PageRequest): boolean {
  const is = (name: string, value: string | undefined) => {
    const asked = request.url.searchParams.get(name) ?? "";
    return asked === "" || asked === value;
  };
  return (
    matchesFilter(request, row.title, row.sourceId, hostOf(row), row.groupId) &&
    is("type", row.type) &&
    is("mode", row.deliveryMode) &&
    is("state", row.state)
  );
}

function choicesOf({ texts }: PageRequest) {
  const states = ["active", "overdue", "unavailable", "failed", "paused", "off"] as const;
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
        ...Object.fromEntries(states.map((name) => [name, texts.states[name]])),
      },
    },
  ];
}

/** The last runs of each source; the API takes 50 at a time. */
async function latestRuns(
  rows: readonly ListedSource[],
  { api }: PageRequest,
): Promise<Map<string, SourceRun[]>> {
  const ids = rows.map(({ sourceId }) => sourceId).filter((id) => !id.includes(","));
  const found = new Map<string, SourceRun[]>();
  for (let from = 0; from < ids.length; from += rowsPerPage) {
    const { sources } = await api.get<{ sources: { sourceId: string; runs: SourceRun[] }[] }>(
      "/source-runs",
      { sources: ids.slice(from, from + rowsPerPage).join(","), limit: trendDays },
    );
    for (const { sourceId, runs } of sources) found.set(sourceId, runs);
  }
  return found;
}

function columnsOf(runs: ReadonlyMap<string, SourceRun[]>, request: PageRequest): Column<Row>[] {
  const { texts } = request;
  const last = ({ sourceId }: Row) => runs.get(sourceId)?.find(({ delivered }) => delivered > 0)?.startedAt;
  return [
    { head: texts.sources.source, cell: ({ title, sourceId }) => title ?? sourceId },
    { head: "Id", cell: ({ sourceId }) => sourceId },
    { head: texts.sources.state, cell: (row) => state(row.state, texts), csv: (row) => row.state },
    { head: texts.sources.type, cell: ({ type }) => type },
    {
      head: texts.sources.mode,
      cell: ({ deliveryMode }) => deliveryMode && texts.sources.modes[deliveryMode],
    },
    { head: texts.sources.host, cell: hostOf },
    {
      head: texts.sources.lastDelivery,
      cell: (row) => (last(row) === undefined ? "" : time(last(row), request)),
      csv: (row) => {
        const at = last(row);
        return at && exactTime(new Date(at), request);
      },
    },
    {
      head: texts.sources.trend,
      cell: ({ sourceId }) => smallTrend(runs.get(sourceId) ?? [], request),
      csv: ({ sourceId }) =>
        perDay(runs.get(sourceId) ?? [], request)
          .map(({ value }) => value)
          .join(" "),
    },
  ];
}

/** What a source delivered on each of the last days. */
export function perDay(runs: readonly SourceRun[], { now, zone }: PageRequest) {
  return Array.from({ length: trendDays }, (_, index) => {
    const label = localDay(new Date(now.getTime() - (trendDays - 1 - index) * 86_400_000), zone);
    const ofDay = runs.filter(({ startedAt }) => localDay(new Date(startedAt), zone) === label);
    return { label, value: ofDay.reduce((sum, { delivered }) => sum + delivered, 0) };
  });
}

export function trend(runs: readonly SourceRun[], request: PageRequest): Html {
  const days = perDay(runs, request);
  const total = days.reduce((sum, { value }) => sum + value, 0);
  return barChart(days, { summary: request.texts.today.chart(total, trendDays) });
}

function smallTrend(runs: readonly SourceRun[], request: PageRequest): Html {
  const values = perDay(runs, request).map(({ value }) => value);
  const total = values.reduce((sum, value) => sum + value, 0);
  return sparkBars(values, { summary: request.texts.today.chart(total, trendDays) });
}

/** The host of a source; undefined for an address that is none, as of mail sources. */
export function hostOf({ url }: Pick<ListedSource, "url">): string | undefined {
  return (url === undefined ? null : URL.parse(url))?.host || undefined;
}

function adding({ caller, texts }: PageRequest): Html {
  if (!mayActAs(caller.role, "operator")) return html``;
  return html`<div class="actions"><a class="button main" href="/console/sources/add">${texts.sources.add}</a><a class="button" href="/console/sources/import">${texts.sources.import}</a></div>`;
}

export const sourceListPages: readonly Page[] = [sources];
