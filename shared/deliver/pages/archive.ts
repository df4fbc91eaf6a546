import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { ApiRefusal, pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { toCsv } from "../../console/parts/csv.ts";
import { csrfField, errorSummary } from "../../console/parts/form.ts";
import { state } from "../../console/parts/state.ts";
import { rowsPerPage, table, wantsCsv } from "../../console/parts/table.ts";
import { time } from "../../console/parts/time.ts";

type Entry = Answer<"GET /archive/{recordId}">;

const operatorStates = ["reset", "ignore", "manual"] as const;
type OperatorState = (typeof operatorStates)[number];

/** The search in the archive by DOI, URL, hash, record id or the beginning of a title. */
const archive: Page = {
  method: "GET",
  path: "/console/archive",
  audience: "viewer",
  section: "deliveries",
  answer: async (request) => {
    const { texts, url } = request;
    const { q, mode } = queryOf(request);
    if (wantsCsv(request)) {
      const { entries } = await find(q, mode, request, 200);
      return { csv: toCsv(columns(request), entries), fileName: "archive.csv" };
    }
    const { entries, next } = q === "" ? { entries: [] } : await find(q, mode, request, rowsPerPage);
    const mayDecide = mayActAs(request.caller.role, "operator") && entries.length > 0;
    const mark: Column<Entry> = {
      head: texts.refused.mark,
      cell: ({ recordId, title }) =>
        html`<input type="checkbox" form="states" name="id" value="${recordId}" aria-label="${texts.refused.choose(title)}">`,
    };
    const body = html`
<p><a href="/console/deliveries">${texts.deliveries.title}</a></p>
<div class="heading"><h1>${texts.archive.title}</h1></div>
<p>${texts.archive.explanation}</p>
${table({
  request,
  caption: texts.archive.title,
  columns: mayDecide ? columns(request).toSpliced(1, 0, mark) : columns(request),
  rows: entries,
  link: ({ recordId }) => pathOf`/console/records/${recordId}`,
  empty: texts.archive.ask,
  filter: {
    label: texts.archive.find,
    choices: [
      {
        name: "mode",
        label: texts.sources.mode,
        options: { "": texts.sources.modes.LIVE, TEST: texts.sources.modes.TEST },
      },
    ],
  },
  pages: {
    next: next && withQuery(url.pathname, { q, mode: url.searchParams.get("mode") ?? "", after: next }),
  },
  hasCsv: true,
})}
${mayDecide ? stateForm(request) : ""}`;
    return { title: texts.archive.title, body };
  },
};

function queryOf({ url, form }: Pick<PageRequest, "url" | "form">) {
  const get = (name: string) => form[name] ?? url.searchParams.get(name) ?? "";
  return { q: get("q").trim(), mode: get("mode") === "TEST" ? "TEST" : "LIVE" };
}

/**
 * Finds entries by a text, which may be a DOI, a URL, a hash or the id of a record. Any other text is the beginning of
 * a title.
 */
async function find(
  q: string,
  mode: string,
  { api, url }: PageRequest,
  limit: number,
): Promise<{ entries: Entry[]; next?: string | undefined }> {
  const by = /^(?:doi:|https?:\/\/(?:dx\.)?doi\.org\/)?10\.\d{4,}\//i.test(q)
    ? { doi: q }
    : /^https?:\/\//i.test(q)
      ? { url: q }
      : /^[0-9a-f]{32,64}$/i.test(q)
        ? { hash: q }
        : undefined;
  if (by !== undefined) {
    const one = await api.send("GET /archive", { ...by, mode });
    return { entries: one.ok ? [one.body] : [] };
  }
  if (/^[\w-]{20,64}$/.test(q)) {
    const one = await api.send("GET /archive/{recordId}", { recordId: q, mode });
    if (one.ok) return { entries: [one.body] };
  }
  const after = url.searchParams.get("after") ?? undefined;
  const titles = await api.send("GET /archive-titles", { title: q, mode, limit, after });
  // A single letter, or punctuation alone, is not a valid beginning of a title.
  return titles.ok ? titles.body : { entries: [] };
}

function columns(request: PageRequest): Column<Entry>[] {
  const { texts } = request;
  return [
    { head: texts.record.title, cell: ({ title, urls, recordId }) => title || (urls[0] ?? recordId) },
    {
      head: texts.sources.state,
      cell: ({ state: name, error }) => html`${state(name, texts)}${error ? ` ${error}` : ""}`,
      csv: ({ state: name }) => name,
    },
    {
      head: texts.record.source,
      cell: ({ sourceId }) => html`<a href="${pathOf`/console/sources/${sourceId}`}">${sourceId}</a>`,
      csv: ({ sourceId }) => sourceId,
    },
    { head: "DOI", cell: ({ doi }) => doi ?? "" },
    { head: texts.deliveries.file, cell: ({ file }) => file ?? "" },
    { head: texts.archive.at, cell: ({ at }) => time(at, request), csv: ({ at }) => at },
  ];
}

function stateForm(request: PageRequest): Html {
  const { texts } = request;
  const { q, mode } = queryOf(request);
  return html`<h2>${texts.archive.setStates}</h2>
<form id="states" method="post" action="/console/archive" class="fields">${csrfField(request)}
<input type="hidden" name="q" value="${q}"><input type="hidden" name="mode" value="${mode}">
<p class="actions">${operatorStates.map((each) => html`<button name="state" value="${each}">${texts.archive.verbs[each]}</button>`)}</p></form>`;
}

/** Sets the state of the selected entries after a confirmation. */
const setStates: Page = {
  method: "POST",
  path: "/console/archive",
  audience: "operator",
  section: "deliveries",
  answer: async (request) => {
    const { api, form, formValues, texts } = request;
    const { q, mode } = queryOf(request);
    const wanted = operatorStates.find((each) => each === form.state);
    const ids = formValues("id");
    const back = withQuery("/console/archive", { q, mode: mode === "TEST" ? mode : "" });
    if (wanted === undefined || ids.length === 0) return markPage(request, back);
    if (form.confirmed !== "yes") return confirmPage({ ids, wanted, back }, request);
    const refused: string[] = [];
    for (const id of ids) {
      const set = await api.send("PUT /archive/{recordId}", { recordId: id, mode }, { state: wanted });
      if (!set.ok && set.problem.status >= 500) throw new ApiRefusal(set.problem);
      if (!set.ok) refused.push(set.problem.detail);
    }
    const text = [
      texts.archive.done(texts.archive.verbs[wanted], ids.length - refused.length),
      ...refused,
    ].join(" ");
    return { redirect: back, notice: { text } };
  },
};

function markPage(request: PageRequest, back: string): PageAnswer {
  const { texts } = request;
  const body = html`<div class="heading"><h1>${texts.archive.title}</h1></div>
${errorSummary(request, { status: 400, detail: texts.archive.markFirst })}<p><a href="${back}">${texts.refused.back}</a></p>`;
  return { title: texts.archive.title, body, status: 400 };
}

function confirmPage(
  { ids, wanted, back }: { ids: string[]; wanted: OperatorState; back: string },
  request: PageRequest,
): PageAnswer {
  const { texts } = request;
  const { q, mode } = queryOf(request);
  const title = texts.refused.confirmTitle(texts.archive.verbs[wanted], texts.refused.count(ids.length));
  const hidden = { q, mode, state: wanted, confirmed: "yes" };
  const body = html`<div class="heading"><h1>${title}</h1></div><p>${texts.archive.consequences[wanted]}</p>
<form method="post" action="/console/archive">${csrfField(request)}
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${ids.map((id) => html`<input type="hidden" name="id" value="${id}">`)}
<p class="actions"><button class="main">${texts.archive.verbs[wanted]}</button><a href="${back}">${texts.refused.cancel}</a></p></form>`;
  return { title, body };
}

export const archivePages: readonly Page[] = [archive, setStates];
