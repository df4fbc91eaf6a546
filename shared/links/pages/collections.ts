import { html } from "hono/html";
import { type Api, pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { toCsv } from "../../console/parts/csv.ts";
import { state } from "../../console/parts/state.ts";
import { changed, rowsPerPage, table, wantsCsv } from "../../console/parts/table.ts";
import { exactTime, time } from "../../console/parts/time.ts";

/** A collection, as the API shows it. */
export interface Collection {
  collectionId: string;
  title?: string;
  rule?: {
    xpath?: string;
    statusCodes?: string;
    finalUrl?: string;
    throttleSeconds?: number;
    active: boolean;
  };
  recheckDelaysHours?: number[];
  inconclusiveLimit?: number;
  recipients?: string[];
  hold: boolean;
  held?: { since: string; by: string; reason: string };
  status?: "active" | "suppressed" | "deleted";
  linkStatus?: { status: string; failures: number; since: string; reason: string; nextAttemptAt?: string };
  /** The problem of a stored collection that is not valid. */
  problem?: string;
  warnings?: string[];
}

/** The state of a collection in a word. */
export function stateOf({ hold, status, problem }: Collection): string {
  if (problem !== undefined) return "invalid";
  return hold ? "held" : (status ?? "unknown");
}

interface CollectionPage {
  collections: Collection[];
  /** Those that are not valid. */
  unusable: Collection[];
  next?: string;
}

/** Every collection; on the first page those that are not shown come first. */
const list: Page = {
  method: "GET",
  path: "/console/collections",
  audience: "viewer",
  section: "collections",
  isEntry: true,
  answer: async (request) => {
    const { api, texts, url } = request;
    const words = texts.collections;
    const get = (name: string) => url.searchParams.get(name) ?? undefined;
    const [q, state, after] = [get("q"), get("state"), get("after")];
    const columns = columnsOf(request);
    if (wantsCsv(request)) {
      const rows = await allOf(api, { q, state });
      return { csv: toCsv(columns, rows), fileName: "collections.csv" };
    }
    const read = (query: Record<string, string | undefined>) =>
      api.get<CollectionPage>("/collections", { ...query, limit: rowsPerPage });
    const isWhole = !q && !state && after === undefined;
    const [page, ...hidden] = await Promise.all([
      read({ q, state, after }),
      ...(isWhole ? [read({ state: "suppressed" }), read({ state: "held" })] : []),
    ]);
    const link = ({ collectionId }: Collection) => pathOf`/console/collections/${collectionId}`;
    const shown = table({
      request,
      caption: words.title,
      columns,
      rows: rowsOf(page),
      link,
      empty: words.none,
      filter: { label: words.filter, choices: [stateChoice(request)] },
      hasCsv: true,
      pages: {
        first: after && changed(url, { after: undefined }),
        next: page.next && changed(url, { after: page.next }),
      },
    });
    const body = html`<div class="heading"><h1>${words.title}</h1>
<a class="button" href="/console/link-report">${words.report}</a></div>${hiddenParts(hidden, request)}${shown}`;
    return { title: texts.sections.collections, body };
  },
};

const shownHidden = 10;

/** The first of those that searches do not show, and the way to all of them. */
function hiddenParts(pages: readonly CollectionPage[], request: PageRequest): Html {
  const words = request.texts.collections;
  const rows = pages.flatMap(rowsOf);
  if (rows.length === 0) return html``;
  const more = rows.length > shownHidden || pages.some(({ next }) => next !== undefined);
  return html`<h2 class="bad">${words.hidden}</h2>${table({
    request,
    caption: words.hidden,
    columns: columnsOf(request),
    rows: rows.slice(0, shownHidden),
    link: ({ collectionId }) => pathOf`/console/collections/${collectionId}`,
    empty: "",
  })}${more ? html`<p class="actions">${(["suppressed", "held"] as const).map((state) => html`<a href="${withQuery("/console/collections", { state })}">${words.allWith(request.texts.states[state])}</a>`)}</p>` : ""}<h2>${words.every}</h2>`;
}

/** By id, valid or not. */
function rowsOf({ collections, unusable }: CollectionPage): Collection[] {
  return [...collections, ...unusable].sort((a, b) => (a.collectionId < b.collectionId ? -1 : 1));
}

async function allOf(api: Api, query: Record<string, string | undefined>): Promise<Collection[]> {
  const rows: Collection[] = [];
  let after: string | undefined;
  do {
    const page: CollectionPage = await api.get("/collections", { ...query, after, limit: 1000 });
    rows.push(...rowsOf(page));
    after = page.next;
  } while (after !== undefined);
  return rows;
}

function stateChoice({ texts }: PageRequest) {
  const { active, suppressed, held, deleted, invalid } = texts.states;
  const options = { "": texts.collections.all, active, suppressed, held, deleted, invalid };
  return { name: "state", label: texts.collections.state, options };
}

function columnsOf(request: PageRequest): Column<Collection>[] {
  const { texts } = request;
  const words = texts.collections;
  return [
    { head: words.name, cell: ({ title, collectionId }) => title ?? collectionId },
    { head: words.state, cell: (each) => state(stateOf(each), texts), csv: stateOf },
    {
      head: words.since,
      cell: ({ linkStatus }) => (linkStatus ? time(linkStatus.since, request) : ""),
      csv: ({ linkStatus }) => linkStatus && exactTime(new Date(linkStatus.since), request),
    },
    { head: words.failures, cell: ({ linkStatus }) => linkStatus?.failures ?? 0, isNumber: true },
    {
      head: words.reason,
      cell: ({ linkStatus, problem }) => problem ?? (linkStatus && texts.reason(linkStatus.reason)),
    },
  ];
}

export const collectionListPages: readonly Page[] = [list];
