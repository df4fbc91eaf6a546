import { html } from "hono/html";
import { pathOf } from "./api.ts";
import type { Page, PageRequest } from "./page.ts";
import type { Column } from "./parts/column.ts";
import { state } from "./parts/state.ts";
import { matchesFilter, wholeList } from "./parts/table.ts";
import { exactTime, time } from "./parts/time.ts";

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
  status?: "active" | "suppressed" | "deleted";
  linkStatus?: { status: string; failures: number; since: string; reason: string; nextAttemptAt?: string };
  /** Of a stored collection that is not valid. */
  problem?: string;
  warnings?: string[];
}

/** The state of a collection in a word. */
export function stateOf({ hold, status, problem }: Collection): string {
  if (problem !== undefined) return "error";
  return hold ? "held" : (status ?? "unknown");
}

/** Every collection, those that are not shown first. */
const list: Page = {
  method: "GET",
  path: "/console/collections",
  audience: "viewer",
  section: "collections",
  isEntry: true,
  answer: async (request) => {
    const { api, texts, url } = request;
    const words = texts.collections;
    const all = await api.all<Collection>("/collections", "collections", { limit: 1000 });
    const wanted = url.searchParams.get("state") ?? "";
    const rows = all
      .filter((each) => matchesFilter(request, each.collectionId, each.title))
      .filter((each) => wanted === "" || stateOf(each) === wanted)
      .sort((a, b) => Number(stateOf(a) === "active") - Number(stateOf(b) === "active"));
    return wholeList({
      request,
      title: texts.sections.collections,
      fileName: "collections.csv",
      caption: words.title,
      columns: columnsOf(request),
      rows,
      link: ({ collectionId }) => pathOf`/console/collections/${collectionId}`,
      empty: words.none,
      filter: {
        label: words.filter,
        choices: [
          {
            name: "state",
            label: words.state,
            options: {
              "": words.all,
              active: texts.states.active,
              suppressed: texts.states.suppressed,
              held: texts.states.held,
              deleted: texts.states.deleted,
            },
          },
        ],
      },
      around: (shown) => html`<div class="heading"><h1>${words.title}</h1>
<a class="button" href="/console/link-report">${words.report}</a></div>${shown}`,
    });
  },
};

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
    { head: words.reason, cell: ({ linkStatus, problem }) => problem ?? linkStatus?.reason },
  ];
}

export const collectionListPages: readonly Page[] = [list];
