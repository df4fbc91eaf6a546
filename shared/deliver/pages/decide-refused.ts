import { html } from "hono/html";
import { ApiRefusal, withQuery } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { csrfField, errorSummary } from "../../console/parts/form.ts";
import { spokenTime } from "../../console/parts/time.ts";
import { figure } from "../../console/texts/figure.ts";
import { countOf, selectionOf, titleOf } from "./refused.ts";

const decisions = ["revalidate", "release", "ignore", "note"] as const;
type Decision = (typeof decisions)[number];

/**
 * The number of records per call of the API, and the number of calls before the page responds, because a gateway waits
 * 30 s for a response. The remaining records are processed from the next page.
 */
const recordsPerCall = 500;
const callsPerPage = 2;

/** The progress of an action on many records. */
interface Progress {
  /** The number of records by outcome. */
  counts: Map<string, number>;
  /** The position at which the next call begins; absent when all records are done. */
  next?: string | undefined;
  /** The number of selected records; absent when it is not known. */
  total?: number | undefined;
}

/** Validates, releases, ignores or notes refused records. Irreversible decisions need a confirmation. */
const decide: Page = {
  method: "POST",
  path: "/console/refused",
  audience: "operator",
  section: "refused",
  answer: async (request) => {
    const { form, formValues, texts } = request;
    const decision = decisions.find((each) => each === form.decision);
    const ids = form.which === "all" ? undefined : formValues("id");
    const note = (form.note ?? "").trim();
    if (decision === undefined || (ids !== undefined && ids.length === 0))
      return problemPage(request, texts.refused.markFirst);
    if (decision === "note" && note === "") return problemPage(request, texts.refused.noteFirst);
    const needsConfirmation = decision === "release" || decision === "ignore";
    if (needsConfirmation && form.confirmed !== "yes") return confirmPage(decision, ids, request);
    const done = await carryOut(decision, { ids, note, ...(await progressSoFar(ids, request)) }, request);
    if (done.next !== undefined) return progressPage(decision, { ...done, note }, request);
    return { redirect: listOf(request), notice: { text: describe(decision, done.counts, request) } };
  },
};

/** Returns the progress according to the form of the previous page, or at the beginning. */
async function progressSoFar(ids: string[] | undefined, request: PageRequest): Promise<Progress> {
  const { api, form } = request;
  const { after, counts = "", total } = form;
  if (after) {
    const known = counts.split(",").map((each) => each.split(":"));
    return {
      counts: new Map(known.map(([outcome = "", count]) => [outcome, Number(count) || 0])),
      next: after,
      total: Number(total) || undefined,
    };
  }
  if (ids !== undefined) return { counts: new Map() };
  const selection = selectionOf(request);
  const { reasons } = await api.get("/refused-records/reasons", { mode: selection.mode });
  return { counts: new Map(), total: countOf(selection, reasons) };
}

async function carryOut(
  decision: Decision,
  { ids, note, counts, next, total }: { ids: string[] | undefined; note: string } & Progress,
  request: PageRequest,
): Promise<Progress> {
  const { mode, reason, source } = selectionOf(request);
  const meant = ids === undefined ? { ...(reason && { reason }), ...(source && { source }) } : { ids };
  let after = next;
  for (let call = 0; call < callsPerPage; call++) {
    const body = { mode, ...meant, ...(note && { note }), limit: recordsPerCall, after };
    const answer = await request.api.send(`POST /refused-records/${decision}`, {}, body);
    if (!answer.ok) throw new ApiRefusal(answer.problem);
    const outcomes =
      "records" in answer.body
        ? answer.body.records.map(({ outcome }) => outcome)
        : answer.body.ids.map(() => "noted" as const);
    for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    after = answer.body.next;
    if (after === undefined) break;
  }
  return { counts, next: after, total };
}

/** Shows the progress. A script continues automatically; without the script, a button continues. */
function progressPage(
  decision: Decision,
  { counts, next = "", total, note }: Progress & { note: string },
  request: PageRequest,
): PageAnswer {
  const { texts } = request;
  const { mode, reason, source } = selectionOf(request);
  const title = texts.refused.confirmTitle(
    texts.refused.decisions[decision],
    titleOf({ reason, source }, request),
  );
  const done = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const text = texts.refused.progress(done, total);
  const soFar = {
    after: next,
    counts: [...counts].map((each) => each.join(":")).join(","),
    total: total?.toString() ?? "",
  };
  const hidden = { mode, reason, source, which: "all", decision, confirmed: "yes", note, ...soFar };
  const body = html`<div class="heading"><h1>${title}</h1></div>
<p role="status">${total === undefined ? "" : html`<progress max="${Math.max(total, done)}" value="${done}" aria-label="${text}"></progress> `}${text}</p>
<p>${describe(decision, counts, request)}</p>
<form method="post" action="/console/refused" data-go-on>${csrfField(request)}
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p class="actions"><button class="main">${texts.refused.goOn}</button><a href="${listOf(request)}">${texts.refused.stop}</a></p></form>`;
  return { title, body };
}

/** Describes the outcomes: `12 records: 9 released, 3 held back by the archive`. */
function describe(decision: Decision, counts: ReadonlyMap<string, number>, { texts }: PageRequest): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const parts = [...counts].map(
    ([outcome, count]) => `${figure(count)} ${texts.refused.outcomes[outcome] ?? outcome}`,
  );
  return texts.refused.done(texts.refused.decisions[decision], total, parts.join(", "));
}

async function confirmPage(
  decision: "release" | "ignore",
  ids: string[] | undefined,
  request: PageRequest,
): Promise<PageAnswer> {
  const { api, form, texts } = request;
  const { nextRuns } = await api.get("/today", {});
  const { mode, reason, source } = selectionOf(request);
  const next = nextRuns.find((run) => run.mode === mode)?.at;
  const what = ids === undefined ? titleOf({ reason, source }, request) : texts.refused.count(ids.length);
  const at = next === undefined ? "" : spokenTime(new Date(next), request);
  const title = texts.refused.confirmTitle(texts.refused.decisions[decision], what);
  const hidden = { mode, reason, source, which: form.which ?? "marked", decision, confirmed: "yes" };
  const body = html`<div class="heading"><h1>${title}</h1></div>
<p>${decision === "release" ? texts.refused.releaseConfirm(at) : texts.refused.ignoreConfirm}</p>
<form method="post" action="/console/refused" class="fields">${csrfField(request)}
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${(ids ?? []).map((id) => html`<input type="hidden" name="id" value="${id}">`)}
<div class="field"><label for="field-note">${texts.action.reason}</label><span class="hint" id="field-note-hint">${texts.refused.noteHint}</span><input id="field-note" name="note" maxlength="1000" value="${form.note ?? ""}" aria-describedby="field-note-hint"></div>
<p class="actions"><button class="main">${texts.refused.decisions[decision]}</button><a href="${listOf(request)}">${texts.refused.cancel}</a></p></form>`;
  return { title, body };
}

function problemPage(request: PageRequest, detail: string): PageAnswer {
  const title = titleOf(selectionOf(request), request);
  const body: Html = html`<div class="heading"><h1>${title}</h1></div>
${errorSummary(request, { status: 400, detail })}
<p><a href="${listOf(request)}">${request.texts.refused.back}</a></p>`;
  return { title, body, status: 400 };
}

function listOf(request: PageRequest): string {
  return withQuery("/console/refused", selectionOf(request));
}

export const decideRefusedPages: readonly Page[] = [decide];
