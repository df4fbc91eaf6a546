import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { type Api, pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { toCsv } from "../../console/parts/csv.ts";
import { state } from "../../console/parts/state.ts";
import { changed, rowsPerPage, table, wantsCsv } from "../../console/parts/table.ts";
import { exactTime, time } from "../../console/parts/time.ts";

type CollectionPage = Answer<"GET /collections">;

export type Collection = Answer<"GET /collections/{id}">;

/** An entry of the list. A collection that is not valid has no status. */
type Listed = Collection | CollectionPage["unusable"][number];

/** Returns the state of a collection in one word. */
export function stateOf(collection: Listed): string {
  if ("problem" in collection) return "invalid";
  return collection.hold ? "held" : collection.status;
}

function linkStatusOf(collection: Listed) {
  return "linkStatus" in collection ? collection.linkStatus : undefined;
}

export function titleOf(collection: Listed): string {
  return "title" in collection ? collection.title : collection.collectionId;
}

/** The list of all collections. Its first page begins with the collections that searches do not show. */
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
      api.get("/collections", { ...query, limit: rowsPerPage });
    const isWhole = !q && !state && after === undefined;
    const [page, ...hidden] = await Promise.all([
      read({ q, state, after }),
      ...(isWhole ? [read({ state: "suppressed" }), read({ state: "held" })] : []),
    ]);
    const link = ({ collectionId }: Listed) => pathOf`/console/collections/${collectionId}`;
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

/** Renders the first collections that searches do not show, with a link to the list of all of them. */
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

/** Returns the rows of a page by id, valid and invalid collections together. */
function rowsOf({ collections, unusable }: CollectionPage): Listed[] {
  return [...collections, ...unusable].sort((a, b) => (a.collectionId < b.collectionId ? -1 : 1));
}

async function allOf(api: Api, query: Record<string, string | undefined>): Promise<Listed[]> {
  const rows: Listed[] = [];
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

function columnsOf(request: PageRequest): Column<Listed>[] {
  const { texts } = request;
  const words = texts.collections;
  return [
    { head: words.name, cell: titleOf },
    { head: words.state, cell: (each) => state(stateOf(each), texts), csv: stateOf },
    {
      head: words.since,
      cell: (each) => {
        const status = linkStatusOf(each);
        return status ? time(status.since, request) : "";
      },
      csv: (each) => {
        const status = linkStatusOf(each);
        return status && exactTime(new Date(status.since), request);
      },
    },
    { head: words.failures, cell: (each) => linkStatusOf(each)?.failures ?? 0, isNumber: true },
    {
      head: words.reason,
      cell: (each) => {
        if ("problem" in each) return each.problem;
        return each.linkStatus && texts.reason(each.linkStatus.reason);
      },
    },
  ];
}

export const collectionListPages: readonly Page[] = [list];
