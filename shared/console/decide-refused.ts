import { html } from "hono/html";
import { ApiRefusal, withQuery } from "./api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "./page.ts";
import { csrfField, errorSummary } from "./parts/form.ts";
import { spokenTime } from "./parts/time.ts";
import { selectionOf, titleOf } from "./refused.ts";

const decisions = ["revalidate", "release", "ignore", "note"] as const;
type Decision = (typeof decisions)[number];

interface Outcomes {
  records?: { id: string; outcome: string }[];
  ids?: string[];
  next?: string;
}

/** An action on one page of the API has at most so many records; one of the console so many pages. */
const recordsPerCall = 500;
const maxCalls = 40;

/** Validates, releases, ignores or notes refused records. What cannot be taken back is asked for once more. */
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
    const counts = await carryOut(decision, { ids, note }, request);
    return { redirect: listOf(request), notice: { text: describe(decision, counts, request) } };
  },
};

/** @returns the numbers of records by outcome */
async function carryOut(
  decision: Decision,
  { ids, note }: { ids: string[] | undefined; note: string },
  request: PageRequest,
): Promise<Map<string, number>> {
  const { mode, reason, source } = selectionOf(request);
  const meant = ids === undefined ? { ...(reason && { reason }), ...(source && { source }) } : { ids };
  const counts = new Map<string, number>();
  let after: string | undefined;
  for (let call = 0; call < maxCalls; call++) {
    const body = { mode, ...meant, ...(note && { note }), limit: recordsPerCall, after };
    const answer = await request.api.send<Outcomes>("POST", `/delinquent-records/${decision}`, body);
    if (!answer.ok) throw new ApiRefusal(answer.problem);
    const { records = [], ids: noted = [], next } = answer.body;
    for (const outcome of [...records.map((each) => each.outcome), ...noted.map(() => "noted")])
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    after = next;
    if (after === undefined) break;
  }
  return counts;
}

/** `12 records: 9 released, 3 held back by the archive` */
function describe(decision: Decision, counts: ReadonlyMap<string, number>, { texts }: PageRequest): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const parts = [...counts].map(
    ([outcome, count]) => `${count} ${texts.refused.outcomes[outcome] ?? outcome}`,
  );
  return texts.refused.done(texts.refused.decisions[decision], total, parts.join(", "));
}

async function confirmPage(
  decision: "release" | "ignore",
  ids: string[] | undefined,
  request: PageRequest,
): Promise<PageAnswer> {
  const { api, form, texts } = request;
  const { nextRuns } = await api.get<{ nextRuns: { mode: string; at: string }[] }>("/today");
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
