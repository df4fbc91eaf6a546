import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { type Api, type ApiProblem, type ApiResult, pathOf } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import type { Field } from "../../console/parts/field.ts";
import { form } from "../../console/parts/form.ts";
import { outside } from "../../console/parts/outside.ts";
import { state } from "../../console/parts/state.ts";
import { fieldsOf, typedThing } from "../../console/parts/table-form.ts";
import type { Texts } from "../../console/texts/en.ts";
import type { FieldTable } from "../../core/field-table.ts";

type Result = Answer<"GET /detections/{id}" | "GET /repository-checks/{id}">;
type Running = Extract<Result, { status: "running" }>;
type Finished = Exclude<Result, Running>;

/** How a source is proposed for an address: what is asked first, and what is shown before the proposed source. */
interface Proposal<Pending extends Running = Running, Found extends Finished = Finished> {
  path: `/console/sources/${string}`;
  words: (texts: Texts) => { title: string; explanation: string; button: string };
  /** The fields of the form that asks for the address. */
  asked: (request: PageRequest) => Field[];
  start: (request: PageRequest) => Promise<ApiResult<"POST /detections" | "POST /repository-checks">>;
  result: (api: Api, id: string) => Promise<Pending | Found>;
  /** Says what is being done, until there is a result. */
  progress: (result: Pending, texts: Texts) => string;
  shown: (result: Found, request: PageRequest) => Html;
  proposed: (result: Found) => { sourceId: string } | undefined;
  /** The fields of a proposed source that the form contains. The other fields are saved as proposed. */
  fields: FieldTable;
}

/** Returns the pages that ask for an address, and that show the source proposed for it and save the source. */
export function proposalPages<Pending extends Running, Found extends Finished>(
  proposal: Proposal<Pending, Found>,
): readonly Page[] {
  const { path } = proposal;
  const page = (method: Page["method"], rest: string, answer: Page["answer"]): Page => ({
    method,
    path: `${path}${rest}`,
    audience: "operator",
    section: "sources",
    answer,
  });
  return [
    page("GET", "", async (request) => askPage(proposal, request)),
    page("POST", "", async (request) => {
      const started = await proposal.start(request);
      if (!started.ok) return askPage(proposal, request, started.problem);
      const id = started.body.result.split("/").at(-1) ?? "";
      return { redirect: `${path}/${encodeURIComponent(id)}` };
    }),
    page("GET", "/{id}", (request) => proposedPage(proposal, request)),
    page("POST", "/{id}", (request) => saveProposed(proposal, request)),
  ];
}

function askPage<Pending extends Running, Found extends Finished>(
  { path, words, asked }: Proposal<Pending, Found>,
  request: PageRequest,
  problem?: ApiProblem,
): PageAnswer {
  const { title, explanation, button } = words(request.texts);
  const body = html`<div class="heading"><h1>${title}</h1></div>
<p>${explanation}</p>
${form({ request, to: path, button, problem, fields: asked(request) })}`;
  return { title, body, ...(problem && { status: 400 as const }) };
}

async function proposedPage<Pending extends Running, Found extends Finished>(
  proposal: Proposal<Pending, Found>,
  request: PageRequest,
  problem?: ApiProblem,
): Promise<PageAnswer> {
  const { api, params, texts } = request;
  const id = params.id ?? "";
  const { title } = proposal.words(texts);
  const result = await proposal.result(api, id);
  const heading = html`<div class="heading"><h1>${title}</h1></div><p>${outside(result.url)}</p>`;
  if (result.status === "running") {
    const body = html`${heading}<p>${state("running", texts)} ${proposal.progress(result, texts)}</p>`;
    return { title, live: true, body };
  }
  const source = proposal.proposed(result);
  const saving =
    source &&
    sourceForm(proposal, source, { request, to: `${proposal.path}/${encodeURIComponent(id)}`, problem });
  const body = html`${heading}${proposal.shown(result, request)}${saving ?? ""}`;
  return { title, body, ...(problem && { status: 400 as const }) };
}

/** Saves a proposed source with the values of its form. */
async function saveProposed<Pending extends Running, Found extends Finished>(
  proposal: Proposal<Pending, Found>,
  request: PageRequest,
): Promise<PageAnswer> {
  const { api, form: sent, params, texts } = request;
  const result = await proposal.result(api, params.id ?? "");
  const proposed = result.status === "running" ? undefined : proposal.proposed(result);
  if (proposed === undefined) return proposedPage(proposal, request);
  const source = { ...proposed, ...typedThing(proposal.fields, proposed, sent) };
  const saved = await api.send("POST /sources", {}, source);
  if (!saved.ok)
    return proposedPage(proposal, request, { ...saved.problem, field: saved.problem.field ?? "sourceId" });
  return { redirect: pathOf`/console/sources/${source.sourceId}`, notice: { text: texts.add.saved } };
}

function sourceForm(
  { fields }: Pick<Proposal, "fields">,
  source: { sourceId: string },
  { request, to, problem }: { request: PageRequest; to: string; problem: ApiProblem | undefined },
): Html {
  const { texts } = request;
  return html`${form({
    request,
    to,
    button: texts.add.save,
    problem,
    fields: fieldsOf(fields, source, request).map((field) =>
      field.name === "sourceId" ? { ...field, hint: texts.add.idHint } : field,
    ),
  })}
<p class="quiet">${texts.add.next}</p>`;
}
