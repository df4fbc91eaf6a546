import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { toCsv } from "../../console/parts/csv.ts";
import { rowsPerPage, table, wantsCsv, wholeList } from "../../console/parts/table.ts";
import { time } from "../../console/parts/time.ts";
import { figure } from "../../console/texts/figure.ts";

type Reason = Answer<"GET /refused-records/reasons">["reasons"][number];

type RefusedRecord = Answer<"GET /refused-records">["records"][number];

/** The refused records of all sources, by reason, or the records of one reason or source. */
const refused: Page = {
  method: "GET",
  path: "/console/refused",
  audience: "viewer",
  section: "refused",
  isEntry: true,
  answer: (request) => {
    const { searchParams } = request.url;
    const isList = ["reason", "source"].some((name) => (searchParams.get(name) ?? "") !== "");
    return isList ? recordList(request) : reasonList(request);
  },
};

/** Formats a reason: `245 $a: title missing`. */
export function reasonText(reason: string, { texts }: Pick<PageRequest, "texts">): string {
  const [ruleId = "", field = ""] = reason.split(":");
  return [fieldShown(field), texts.ruleNames[ruleId] ?? ruleId].filter(Boolean).join(": ");
}

/** Formats a field: `245a` becomes `245 $a`. */
export function fieldShown(field: string): string {
  return field.length > 3 ? `${field.slice(0, 3)} $${field.slice(3)}` : field;
}

/** Returns the selection of records in the address of a page or in the fields of its form. */
export function selectionOf({ url, form }: Pick<PageRequest, "url" | "form">) {
  const get = (name: string) => form[name] ?? url.searchParams.get(name) ?? "";
  return { mode: get("mode") === "TEST" ? "TEST" : "LIVE", reason: get("reason"), source: get("source") };
}

async function reasonList(request: PageRequest): Promise<PageAnswer> {
  const { api, texts } = request;
  const { mode } = selectionOf(request);
  const { reasons, total } = await api.get("/refused-records/reasons", { mode });
  const to = (more: Record<string, string>) => withQuery("/console/refused", { mode, ...more });
  return wholeList({
    request,
    title: texts.refused.title,
    fileName: "refused.csv",
    caption: texts.refused.byReason,
    columns: [
      {
        head: texts.refused.reason,
        cell: ({ reason }) => reasonText(reason, request),
      },
      {
        head: texts.refused.records,
        isNumber: true,
        cell: ({ reason, count }) => html`<a href="${to({ reason })}">${figure(count)}</a>`,
        csv: ({ count }) => count,
      },
      {
        head: texts.sources.title,
        cell: ({ reason, sources, sourceCount }) =>
          html`${sources.slice(0, 3).map(({ sourceId, count }) => html`<a href="${to({ reason, source: sourceId })}">${sourceId}</a> (${count}) `)}${sourceCount > 3 ? texts.refused.more(sourceCount - 3) : ""}`,
        csv: ({ sources }) => sources.map(({ sourceId, count }) => `${sourceId} ${count}`).join("; "),
      },
      {
        head: texts.refused.requires,
        cell: ({ ruleId, requires }) => (texts.ruleRequires[ruleId] ?? requires).replaceAll("`", ""),
      },
    ],
    rows: reasons,
    link: ({ reason }) => to({ reason }),
    empty: html`${texts.refused.nothing} <a href="/console/rules">${texts.refused.toRules}</a>`,
    around: (shown) => html`
<div class="heading"><h1>${texts.refused.title}</h1>${modes(request)}</div>
${total > 0 ? html`<p>${texts.refused.total(total)}</p>` : ""}
${shown}`,
  });
}

async function recordList(request: PageRequest): Promise<PageAnswer> {
  const { api, texts, url } = request;
  const selection = selectionOf(request);
  const columns = recordColumns(request);
  if (wantsCsv(request)) {
    const all = await api.all("/refused-records", "records", { ...selection, limit: 500 });
    return { csv: toCsv(columns, all), fileName: "refused.csv" };
  }
  const after = url.searchParams.get("after") ?? undefined;
  const [page, { reasons }] = await Promise.all([
    api.get("/refused-records", {
      ...selection,
      limit: rowsPerPage,
      after,
    }),
    api.get("/refused-records/reasons", { mode: selection.mode }),
  ]);
  const title = titleOf(selection, request);
  const count = countOf(selection, reasons);
  const to = (next?: string) => withQuery(url.pathname, { ...selection, after: next });
  const mayDecide = mayActAs(request.caller.role, "operator") && page.records.length > 0;
  const mark: Column<RefusedRecord> = {
    head: texts.refused.mark,
    cell: ({ id, title: name, url: address }) =>
      html`<input type="checkbox" form="decide" name="id" value="${id}" aria-label="${texts.refused.choose(name ?? address)}">`,
  };
  const body = html`
<p><a href="${withQuery(url.pathname, { mode: selection.mode })}">${texts.refused.allReasons}</a></p>
<div class="heading"><h1>${title}</h1></div>
${count === undefined ? "" : html`<p>${texts.refused.total(count)}</p>`}
${table({
  request,
  caption: title,
  columns: mayDecide ? columns.toSpliced(1, 0, mark) : columns,
  rows: page.records,
  link: ({ id }) => pathOf`/console/records/${id}`,
  empty: texts.refused.nothing,
  pages: { first: after && to(), next: page.next && to(page.next) },
  hasCsv: true,
})}
${mayDecide ? decideForm(request, count) : ""}`;
  return { title, body };
}

export function titleOf(
  { reason, source }: { reason: string; source: string },
  request: Pick<PageRequest, "texts">,
): string {
  const { texts } = request;
  const what = reason === "" ? texts.refused.title : reasonText(reason, request);
  return source === "" ? what : texts.refused.ofSource(what, source);
}

/** Returns the number of selected records, if the counts by reason contain it. */
export function countOf(
  { reason, source }: { reason: string; source: string },
  reasons: readonly Reason[],
): number | undefined {
  const meant = reasons.filter((each) => reason === "" || each.reason === reason || each.ruleId === reason);
  if (source === "") return meant.reduce((sum, { count }) => sum + count, 0);
  const known = meant.every(({ sources, sourceCount }) => sources.length === sourceCount);
  if (!known) return undefined;
  return meant
    .flatMap(({ sources }) => sources)
    .filter(({ sourceId }) => sourceId === source)
    .reduce((sum, { count }) => sum + count, 0);
}

function recordColumns(request: PageRequest): Column<RefusedRecord>[] {
  const { texts } = request;
  return [
    { head: texts.record.title, cell: ({ title, url }) => title || url },
    {
      head: texts.record.source,
      cell: ({ sourceId }) => html`<a href="${pathOf`/console/sources/${sourceId}`}">${sourceId}</a>`,
      csv: ({ sourceId }) => sourceId,
    },
    {
      head: texts.refused.why,
      cell: ({ findings, findingCount }) =>
        html`${texts.reason(findings[0]?.reason ?? "")}${findingCount > 1 ? html` <span class="quiet">${texts.refused.moreFindings(findingCount - 1)}</span>` : ""}`,
      csv: ({ findings }) => findings.map(({ reason }) => reason).join("; "),
    },
    {
      head: texts.refused.since,
      cell: ({ firstRefusedAt, refusedAt }) => time(firstRefusedAt ?? refusedAt, request),
      csv: ({ firstRefusedAt, refusedAt }) => firstRefusedAt ?? refusedAt,
    },
    {
      head: texts.refused.note,
      cell: ({ note, released }) =>
        released
          ? texts.states.released
          : note
            ? html`${note.text} <span class="quiet">${note.by}, ${time(note.at, request)}</span>`
            : "",
      csv: ({ note }) => (note ? `${note.text} (${note.by}, ${note.at})` : ""),
    },
  ];
}

/** Renders the actions on all selected records, or on the records that are marked in the table. */
function decideForm(request: PageRequest, count: number | undefined): Html {
  const { texts, csrf } = request;
  const { mode, reason, source } = selectionOf(request);
  const all = count === undefined ? texts.refused.all : texts.refused.allOf(count);
  const choice = (value: string, text: string, isChosen: boolean) =>
    html`<label class="check"><input type="radio" name="which" value="${value}"${isChosen ? html` checked` : ""}> ${text}</label> `;
  const button = (decision: keyof typeof texts.refused.decisions) =>
    html`<button name="decision" value="${decision}">${texts.refused.decisions[decision]}</button>`;
  return html`<h2>${texts.refused.decide}</h2>
<form id="decide" method="post" action="/console/refused" class="fields">
<input type="hidden" name="csrf" value="${csrf}">${Object.entries({ mode, reason, source }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}
<fieldset class="field"><legend class="hidden">${texts.refused.which}</legend>${choice("marked", texts.refused.marked, true)}${choice("all", all, false)}</fieldset>
<div class="field"><label for="field-note">${texts.refused.note}</label><span class="hint" id="field-note-hint">${texts.refused.noteHint}</span><input id="field-note" name="note" maxlength="1000" aria-describedby="field-note-hint"></div>
<p class="actions">${button("revalidate")}${button("release")}${button("ignore")}${button("note")}</p></form>`;
}

function modes({ url, texts }: PageRequest): Html {
  const { mode } = selectionOf({ url, form: {} });
  return html`<p class="actions">${(["LIVE", "TEST"] as const).map((each) =>
    each === mode
      ? html`<strong>${texts.sources.modes[each]}</strong>`
      : html`<a href="${withQuery(url.pathname, { mode: each })}">${texts.sources.modes[each]}</a>`,
  )}</p>`;
}

export const refusedPages: readonly Page[] = [refused];
