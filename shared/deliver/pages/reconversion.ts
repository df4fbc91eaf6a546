import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { type ApiProblem, ApiRefusal, pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { state } from "../../console/parts/state.ts";
import { table } from "../../console/parts/table.ts";
import { time } from "../../console/parts/time.ts";
import { figure } from "../../console/texts/figure.ts";
import { isDelivering, triedOutcomes } from "../../records/reconversions/reconversion.ts";

type Reconversion = Answer<"GET /reconversions/{id}">;

type TriedRecord = Answer<"GET /reconversions/{id}/records">["records"][number];

/** The differences between what was delivered and what conversion yields now, and the decision on them. */
const reconversion: Page = {
  method: "GET",
  path: "/console/reconversions/{id}",
  audience: "operator",
  section: "deliveries",
  answer: async (request) => {
    const { api, params, texts, url } = request;
    const words = texts.reconversions;
    const id = params.id ?? "";
    const found = await api.get("/reconversions/{id}", { id });
    const outcome = triedOutcomes.find((each) => each === url.searchParams.get("outcome"));
    const after = url.searchParams.get("after") ?? undefined;
    const { records, next } = await api.get("/reconversions/{id}/records", {
      id,
      ...(outcome !== undefined && { outcome }),
      ...(after !== undefined && { after }),
    });
    const here = pathOf`/console/reconversions/${id}`;
    const title = words.of(found.selection.sourceId);
    const body = html`<p><a href="/console/reconversions">${words.title}</a></p>
<div class="heading"><h1>${title} ${state(found.state, texts)}</h1><div class="actions">${actionsOf(found, request)}</div></div>
${found.failure ? html`<p class="error">${words.stopped} ${texts.reason(found.failure.reason)}</p>` : ""}
<dl class="pairs">${factsOf(found, request).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${countsPart(found, here, request)}
${table({
  request,
  caption: title,
  columns: [
    { head: texts.record.title, cell: (record: TriedRecord) => record.title },
    { head: texts.sources.state, cell: (record) => state(record.outcome, texts) },
    { head: words.difference, cell: (record) => differenceOf(record, request) },
  ],
  rows: records,
  link: ({ recordId }) => pathOf`/console/records/${recordId}`,
  empty: found.state === "converting" ? words.underWay : words.noRecord,
  pages: { next: next && withQuery(here, { after: next, ...(outcome !== undefined && { outcome }) }) },
})}`;
    return { title, body, live: found.state === "converting" || isDelivering(found) };
  },
};

function actionsOf({ reconversionId, state: current, counts }: Reconversion, request: PageRequest): Html {
  const { reconversions: words } = request.texts;
  const act = (name: keyof typeof words.actions, isMain = false) =>
    action({
      request,
      to: `${pathOf`/console/reconversions/${reconversionId}`}/${name}`,
      label: words.actions[name],
      confirm: words.confirm[name](counts?.changed ?? 0),
      isMain,
    });
  const canDeliver = isDelivering({ state: current }) || (current === "tried" && (counts?.changed ?? 0) > 0);
  const canCancel = current === "converting" || current === "tried" || current === "delivering";
  return html`${canDeliver ? act("deliver", true) : ""}${canCancel ? act("cancel") : ""}${current === "delivered" ? act("reverse") : ""}`;
}

function factsOf(found: Reconversion, request: PageRequest): [string, Html | string][] {
  const { texts } = request;
  const words = texts.reconversions;
  const { selection, files = [], decidedBy, decidedAt } = found;
  const days = selection.type === "source" ? [selection.from, selection.to] : [];
  return [
    [
      texts.record.source,
      html`<a href="${pathOf`/console/sources/${selection.sourceId}`}">${selection.sourceId}</a>`,
    ],
    [words.selection, words.selections[selection.type]],
    ...(days.some((day) => day !== undefined)
      ? [[words.deliveredOn, days.map((day) => day ?? "…").join(" – ")] as [string, string]]
      : []),
    [words.requested, html`${time(found.requestedAt, request)}, ${found.by}`],
    ...(decidedBy === undefined
      ? []
      : [[words.decided, html`${time(decidedAt, request)}, ${decidedBy}`] as [string, Html]]),
    ...files.map((file): [string, Html] => [
      texts.deliveries.file,
      html`<a href="${withQuery("/console/deliveries", { q: file })}">${file}</a>`,
    ]),
  ];
}

/** Renders the number of records by outcome, each with a link to these records. */
function countsPart({ counts = {} }: Reconversion, here: string, { texts }: PageRequest): Html {
  const shown = triedOutcomes.flatMap((outcome) => {
    const count = counts[outcome];
    return count === undefined ? [] : [{ outcome, count }];
  });
  if (shown.length === 0) return html``;
  return html`<p>${shown.map(
    ({ outcome, count }) =>
      html`<a href="${withQuery(here, { outcome })}">${state(outcome, texts)} ${figure(count)}</a> `,
  )}<a href="${here}">${texts.reconversions.all}</a></p>`;
}

/** Renders the fields that differ, or the reason why the record is not delivered. */
function differenceOf({ reason, changes = [] }: TriedRecord, { texts }: PageRequest): Html {
  if (reason !== undefined) return html`${texts.reason(reason)}`;
  return html`<table class="marc"><tbody>${changes.flatMap(({ tag, before, after }) => [
    ...before
      .filter((line) => !after.includes(line))
      .map((line) => html`<tr><td>−</td><td><del>${tag} ${line}</del></td></tr>`),
    ...after
      .filter((line) => !before.includes(line))
      .map((line) => html`<tr><td>+</td><td><ins>${tag} ${line}</ins></td></tr>`),
  ])}</tbody></table>`;
}

type Decided = { ok: true } | { ok: false; problem: ApiProblem };

/** Builds the page of a decision. After it, the page of the reconversion is shown. */
function decisionPage(
  name: "deliver" | "cancel",
  decide: (request: PageRequest, id: string) => Promise<Decided>,
): Page {
  return {
    method: "POST",
    path: `/console/reconversions/{id}/${name}`,
    audience: "operator",
    section: "deliveries",
    answer: async (request) => {
      const id = request.params.id ?? "";
      const result = await decide(request, id);
      if (!result.ok) throw new ApiRefusal(result.problem);
      const notice = { text: request.texts.reconversions.done[name] };
      return { redirect: pathOf`/console/reconversions/${id}`, notice };
    },
  };
}

const deliver = decisionPage("deliver", ({ api }, id) =>
  api.send("POST /reconversions/{id}/deliver", { id }),
);
const cancel = decisionPage("cancel", ({ api }, id) => api.send("POST /reconversions/{id}/cancel", { id }));

/** Prepares the reversal of delivered updates, and shows it. */
const reverse: Page = {
  method: "POST",
  path: "/console/reconversions/{id}/reverse",
  audience: "operator",
  section: "deliveries",
  answer: async ({ api, params, texts }) => {
    const started = await api.send("POST /reconversions/{id}/reverse", { id: params.id ?? "" });
    if (!started.ok) throw new ApiRefusal(started.problem);
    return {
      redirect: `/console${started.body.result}`,
      notice: { text: texts.reconversions.done.reverse },
    };
  },
};

export const reconversionPages: readonly Page[] = [reconversion, deliver, cancel, reverse];
