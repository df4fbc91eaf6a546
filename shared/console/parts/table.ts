import { html } from "hono/html";
import { hasWords } from "../../core/has-words.ts";
import { withQuery } from "../api.ts";
import type { Html, PageAnswer, PageRequest } from "../page.ts";
import type { Column } from "./column.ts";
import { toCsv } from "./csv.ts";

export const rowsPerPage = 50;

/** A choice beside the filter box, such as the choice of a state. */
export interface Choice {
  name: string;
  label: string;
  /** Texts by value. The value "" selects all rows. */
  options: Readonly<Record<string, string>>;
}

interface TableParts<Row> {
  request: PageRequest;
  /** A description of the rows, for readers who cannot see the table. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Returns the address of a row's page. */
  link?: (row: Row) => string;
  /** The text of an empty list, which says what to do next. */
  empty: Html | string;
  /** The filter box. Its parameter is `q`. No box is shown when absent. */
  filter?: { label: string; choices?: readonly Choice[] };
  /** The position of the rows in the whole list. */
  place?: { from: number; total: number };
  /** The addresses of the neighbouring pages. */
  pages?: { first?: string | undefined; previous?: string | undefined; next?: string | undefined };
  /** Whether the page's address also supports `?format=csv`. */
  hasCsv?: boolean;
}

/** Renders a table with its filter, its paging and its CSV link. The arrow keys move between its rows. */
export function table<Row>(parts: TableParts<Row>): Html {
  const { request, caption, columns, rows, link, filter } = parts;
  const isFiltered = isFilteredBy(request.url, filter?.choices);
  return html`
${filter ? filterForm(request, filter, isFiltered) : ""}
${
  rows.length === 0
    ? html`<p class="empty">${isFiltered ? request.texts.table.none : parts.empty}</p>`
    : html`
<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table data-rows title="${link ? request.texts.table.keys : ""}">
<caption class="hidden">${caption}</caption>
<thead><tr>${columns.map(({ head, isNumber }) => html`<th scope="col"${isNumber ? html` class="number"` : ""}>${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => tableRow(row, columns, link))}</tbody>
</table></div>`
}
${pagesAround(parts)}`;
}

function tableRow<Row>(row: Row, columns: readonly Column<Row>[], link?: (row: Row) => string): Html {
  return html`<tr>${columns.map(({ cell, isNumber }, index) => {
    const shown = cell(row) ?? "";
    const content = index === 0 && link ? html`<a href="${link(row)}">${shown}</a>` : shown;
    return html`<td${isNumber ? html` class="number"` : ""}>${content}</td>`;
  })}</tr>`;
}

function filterForm(
  { url, texts }: PageRequest,
  { label, choices = [] }: NonNullable<TableParts<never>["filter"]>,
  isFiltered: boolean,
): Html {
  return html`<form class="filter" method="get" role="search" aria-label="${texts.table.filter}">
<label>${label} <input type="search" name="q" value="${url.searchParams.get("q") ?? ""}"></label>
${choices.map((choice) => selectOf(choice, url))}
<button>${texts.table.apply}</button>
${isFiltered ? html`<a href="${url.pathname}">${texts.table.clear}</a>` : ""}
</form>`;
}

/** Renders a choice with the value that the page's address has. */
export function selectOf({ name, label, options }: Choice, { searchParams }: URL): Html {
  const chosen = searchParams.get(name) ?? "";
  return html`<label>${label} <select name="${name}">${Object.entries(options).map(
    ([value, text]) =>
      html`<option value="${value}"${chosen === value ? html` selected` : ""}>${text}</option>`,
  )}</select></label>`;
}

function pagesAround<Row>({ request, caption, rows, place, pages = {}, hasCsv }: TableParts<Row>): Html {
  const { texts, url } = request;
  const { first, previous, next } = pages;
  // A page of a list may be empty without being the last.
  if (rows.length === 0 && !next) return html``;
  if (!(place || first || previous || next || hasCsv)) return html``;
  return html`<nav class="pages" aria-label="${texts.table.pages(caption)}">
${place ? html`<span>${texts.table.shown(place.from, place.from + rows.length - 1, place.total)}</span>` : ""}
${first ? html`<a href="${first}">${texts.table.first}</a>` : ""}
${previous ? html`<a href="${previous}" rel="prev">${texts.table.previous}</a>` : ""}
${next ? html`<a href="${next}" rel="next">${texts.table.next}</a>` : ""}
${hasCsv ? html`<a href="${changed(url, { format: "csv", page: undefined, after: undefined })}" download>${texts.table.csv}</a>` : ""}
</nav>`;
}

/**
 * Renders a list that is completely in memory: the rows that match the filter, with 50 rows per page, or all matching
 * rows as CSV.
 * @param title the title of the page
 * @param around renders the page around the table
 */
export function wholeList<Row>(
  parts: Omit<TableParts<Row>, "place" | "pages" | "hasCsv"> & {
    title: string;
    fileName: string;
    around?: (table: Html) => Html;
    live?: boolean;
  },
): PageAnswer {
  const { request, rows, title, fileName, columns, around = (shown) => shown, live, ...rest } = parts;
  if (wantsCsv(request)) return { csv: toCsv(columns, rows), fileName };
  const { page, pageCount, from, shown: pageRows } = pageOf(request, rows);
  const to = (target: number) => changed(request.url, { page: target === 1 ? undefined : target });
  const shown = table({
    ...rest,
    request,
    columns,
    rows: pageRows,
    place: { from: from + 1, total: rows.length },
    pages: {
      first: page > 2 ? to(1) : undefined,
      previous: page > 1 ? to(page - 1) : undefined,
      next: page < pageCount ? to(page + 1) : undefined,
    },
    hasCsv: true,
  });
  return { title, body: around(shown), ...(live !== undefined && { live }) };
}

/** Returns the rows of the page that the address selects with `page`. */
export function pageOf<Row>({ url }: Pick<PageRequest, "url">, rows: readonly Row[]) {
  const pageCount = Math.max(1, Math.ceil(rows.length / rowsPerPage));
  const asked = Number(url.searchParams.get("page") ?? 1);
  const page = Number.isInteger(asked) && asked >= 1 ? Math.min(asked, pageCount) : 1;
  const from = (page - 1) * rowsPerPage;
  return { page, pageCount, from, shown: rows.slice(from, from + rowsPerPage) };
}

/** Decides whether the address asks for CSV instead of a page. */
export function wantsCsv({ url }: Pick<PageRequest, "url">): boolean {
  return url.searchParams.get("format") === "csv";
}

/** Decides whether each word in the filter box occurs in at least one of these texts, in any case. */
export function matchesFilter({ url }: Pick<PageRequest, "url">, ...texts: (string | undefined)[]): boolean {
  return hasWords(url.searchParams.get("q") ?? "", texts);
}

/** Returns the address with changed parameters. */
export function changed(url: URL, changes: Record<string, string | number | undefined>): string {
  return withQuery(url.pathname, { ...Object.fromEntries(url.searchParams), ...changes });
}

function isFilteredBy({ searchParams }: URL, choices: readonly Choice[] = []): boolean {
  return ["q", ...choices.map(({ name }) => name)].some((name) => (searchParams.get(name) ?? "") !== "");
}
