import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { pathOf } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { changed, matchesFilter, wholeList } from "../../console/parts/table.ts";
import { figure } from "../../console/texts/figure.ts";

const kinds = ["activated", "suppressed", "deleted", "unjudged", "refused"] as const satisfies Kind[];

type Figures = Answer<"GET /reports/links">["collections"][number];
type Kind = Exclude<keyof Figures, "day" | "collectionId" | "collection">;

/** The Link Checking Report of a day: the changes of each collection, with samples. */
const report: Page = {
  method: "GET",
  path: "/console/link-report",
  audience: "viewer",
  section: "collections",
  answer: async (request) => {
    const { api, texts, url } = request;
    const words = texts.linkReport;
    const asked = url.searchParams.get("day") ?? undefined;
    const first = await api.get("/reports/links", { day: asked, limit: 1000 });
    const { day, next } = first;
    const others = next
      ? await api.all("/reports/links", "collections", { day, limit: 1000, after: next })
      : [];
    const all = [...first.collections, ...others];
    return wholeList({
      request,
      title: words.title(day),
      fileName: `links-${day}.csv`,
      caption: words.title(day),
      columns: columnsOf(request),
      rows: all.filter(({ collectionId }) => matchesFilter(request, collectionId)),
      link: ({ collectionId }) => pathOf`/console/collections/${collectionId}`,
      empty: words.none,
      filter: { label: words.filter },
      around: (shown) => html`<div class="heading"><h1>${words.title(day)}</h1></div>
<nav class="pages" aria-label="${words.days}">
<a href="${changed(url, { day: dayAfter(day, -1), page: undefined })}" rel="prev">${words.previous}</a>
<a href="${changed(url, { day: dayAfter(day, 1), page: undefined })}" rel="next">${words.next}</a></nav>
${shown}${samplesPart(all, request)}`,
    });
  },
};

function columnsOf(request: PageRequest): Column<Figures>[] {
  const words = request.texts.linkReport;
  return [
    { head: words.collection, cell: ({ collectionId }) => collectionId },
    {
      head: words.itself,
      cell: ({ collection }) => collection.map(({ to }) => words.changes[to]).join(", "),
    },
    ...kinds.map((kind) => ({
      head: words.kinds[kind],
      cell: (row: Figures) => figure(row[kind].count),
      csv: (row: Figures) => row[kind].count,
      isNumber: true,
    })),
  ];
}

const shownSamples = 5;

function samplesPart(all: readonly Figures[], { texts }: PageRequest): Html {
  const words = texts.linkReport;
  const lost = all.flatMap((each) =>
    (["suppressed", "deleted", "refused"] as const).flatMap((kind) =>
      each[kind].samples
        .slice(0, shownSamples)
        .map((sample) => ({ ...sample, kind, collectionId: each.collectionId })),
    ),
  );
  if (lost.length === 0) return html``;
  return html`<h2>${words.samples}</h2><ul>${lost
    .slice(0, 50)
    .map(
      ({ kind, recordId, url, reason, collectionId }) =>
        html`<li>${collectionId}, ${words.kinds[kind]}: <a href="${pathOf`/console/records/${recordId}`}">${url}</a>${reason ? html` <span class="quiet">${texts.reason(reason)}</span>` : ""}</li>`,
    )}</ul>`;
}

/**
 * Returns the day that is `days` after a day.
 * @param day `YYYY-MM-DD`
 */
function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

export const linkReportPages: readonly Page[] = [report];
