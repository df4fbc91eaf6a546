import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { ApiRefusal, pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { form } from "../../console/parts/form.ts";
import { refusedFormStatus } from "../../console/parts/refused-form.ts";
import { state } from "../../console/parts/state.ts";
import { table } from "../../console/parts/table.ts";
import { time } from "../../console/parts/time.ts";
import { figure } from "../../console/texts/figure.ts";

type Reconversion = Answer<"GET /reconversions">["reconversions"][number];

/** The reconversions of a source, or of all sources, and the form that starts one. */
const list: Page = {
  method: "GET",
  path: "/console/reconversions",
  audience: "operator",
  section: "deliveries",
  answer: (request) => listPage(request, request.url.searchParams.get("source") ?? ""),
};

async function listPage(
  request: PageRequest,
  source: string,
  problem?: ApiRefusal["problem"],
): Promise<PageAnswer> {
  const { api, texts, url } = request;
  const words = texts.reconversions;
  const after = url.searchParams.get("after") ?? undefined;
  const { reconversions, next } = await api.get("/reconversions", {
    limit: 50,
    ...(source !== "" && { source }),
    ...(after !== undefined && { after }),
  });
  const body = html`<div class="heading"><h1>${words.title}</h1></div>
<p>${words.explanation}</p>
${form({
  request,
  to: "/console/reconversions",
  button: words.start,
  problem,
  fields: [
    { name: "source", label: texts.record.source, value: source, isRequired: true },
    { name: "from", label: words.from, hint: words.days, kind: "date" },
    { name: "to", label: words.to, kind: "date" },
    { name: "asksAgencies", label: words.asksAgencies, kind: "checkbox" },
  ],
})}
${table({
  request,
  caption: words.title,
  columns: [
    { head: words.requested, cell: ({ requestedAt }: Reconversion) => time(requestedAt, request) },
    { head: texts.record.source, cell: ({ selection }) => selection.sourceId },
    { head: texts.sources.state, cell: (one) => state(one.state, texts) },
    { head: words.by, cell: ({ by }) => by },
    { head: words.changed, isNumber: true, cell: ({ counts }) => changedOf(counts) },
  ],
  rows: reconversions,
  link: ({ reconversionId }) => pathOf`/console/reconversions/${reconversionId}`,
  empty: words.none,
  pages: {
    next: next && withQuery("/console/reconversions", { after: next, ...(source !== "" && { source }) }),
  },
})}`;
  return { title: words.title, body, ...refusedFormStatus(problem) };
}

function changedOf(counts: Reconversion["counts"]): Html | string {
  return counts === undefined ? "" : figure((counts.changed ?? 0) + (counts.delivered ?? 0));
}

/** Starts a reconversion of a source, or of the record whose page has the button. */
const start: Page = {
  method: "POST",
  path: "/console/reconversions",
  audience: "operator",
  section: "deliveries",
  answer: async (request) => {
    const { api, form: sent } = request;
    const { source = "", record, from, to } = sent;
    const wanted =
      record === undefined
        ? { source, ...(from && { from }), ...(to && { to }), asksAgencies: sent.asksAgencies === "yes" }
        : { record };
    const started = await api.send("POST /reconversions", {}, wanted);
    if (started.ok) return { redirect: `/console${started.body.result}` };
    if (record !== undefined) throw new ApiRefusal(started.problem);
    return listPage(request, source, started.problem);
  },
};

export const reconversionListPages: readonly Page[] = [list, start];
