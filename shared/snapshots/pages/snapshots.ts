import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { type ApiProblem, ApiRefusal, ifUnchanged, pathOf } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import type { Column } from "../../console/parts/column.ts";
import { form } from "../../console/parts/form.ts";
import { refusedFormStatus, takesStoredVersion } from "../../console/parts/refused-form.ts";
import { state } from "../../console/parts/state.ts";
import { matchesFilter, wholeList } from "../../console/parts/table.ts";
import { choiceTexts, fieldsOf, typedThing } from "../../console/parts/table-form.ts";
import { exactTime, time } from "../../console/parts/time.ts";
import { figure } from "../../console/texts/figure.ts";
import { definitionBody } from "../routes/definition-body.ts";

export type Definition = Answer<"GET /snapshots/{id}">;

/** Returns the state of a definition, in one word. */
export function stateOf({ isActive, jobIds, endedAt, index }: Definition): string {
  if (endedAt !== undefined) return "ended";
  if (jobIds.length > 0) return "begun";
  if (!isActive) return "inactive";
  return index === undefined || index.state.startsWith("ready") ? "waiting" : "building";
}

/** Lists all harvest definitions. */
const list: Page = {
  method: "GET",
  path: "/console/snapshots",
  audience: "viewer",
  section: "snapshots",
  isEntry: true,
  answer: async (request) => {
    const { api, texts } = request;
    const definitions = await api.all("/snapshots", "definitions", { limit: 500 });
    const rows = definitions
      .filter(({ title, id, seeds }) => matchesFilter(request, title, id, ...seeds))
      .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    return wholeList({
      request,
      title: texts.sections.snapshots,
      fileName: "snapshots.csv",
      caption: texts.sections.snapshots,
      columns: columnsOf(request),
      rows,
      link: ({ id }) => pathOf`/console/snapshots/${id}`,
      empty: texts.snapshots.none,
      filter: { label: texts.snapshots.filter },
      live: definitions.some((each) => stateOf(each) === "building"),
      around: (shown) => html`<div class="heading"><h1>${texts.sections.snapshots}</h1>
${mayActAs(request.caller.role, "operator") ? html`<a class="button" href="/console/snapshots/new">${texts.snapshots.add}</a>` : ""}</div>
${shown}`,
    });
  },
};

function columnsOf(request: PageRequest): Column<Definition>[] {
  const { texts, language } = request;
  const words = texts.snapshots;
  const { title, type, seeds } = definitionBody.fields;
  return [
    { head: title.label[language], cell: (each) => each.title },
    { head: type.label[language], cell: (each) => choiceTexts(type, language)[each.type] ?? each.type },
    { head: words.state, cell: (each) => state(stateOf(each), texts), csv: stateOf },
    { head: seeds.label[language], cell: (each) => each.seeds.length, isNumber: true },
    { head: words.jobs, cell: ({ jobIds }) => jobIds.length, isNumber: true },
    {
      head: words.createdAt,
      cell: ({ createdAt }) => time(createdAt, request),
      csv: ({ createdAt }) => exactTime(new Date(createdAt), request),
    },
  ];
}

const create: Page = {
  method: "GET",
  path: "/console/snapshots/new",
  audience: "operator",
  section: "snapshots",
  answer: async (request) => definitionForm(request),
};

const edit: Page = {
  method: "GET",
  path: "/console/snapshots/{id}/edit",
  audience: "operator",
  section: "snapshots",
  answer: async (request) => editDefinition(request),
};

async function editDefinition(request: PageRequest, problem?: ApiProblem): Promise<PageAnswer> {
  const id = request.params.id ?? "";
  const stored = await request.api.send("GET /snapshots/{id}", { id });
  if (!stored.ok) throw new ApiRefusal(stored.problem);
  const version = takesStoredVersion(problem) ? stored.headers.etag : request.form.version;
  return definitionForm(request, { stored: stored.body, version, problem });
}

const change: Page = {
  method: "POST",
  path: "/console/snapshots/{id}/edit",
  audience: "operator",
  section: "snapshots",
  answer: async (request) => {
    const { api, form: sent, texts } = request;
    const id = request.params.id ?? "";
    const done = await api.send(
      "PUT /snapshots/{id}",
      { id },
      typedDefinition(sent),
      ifUnchanged(sent.version),
    );
    if (!done.ok) return editDefinition(request, done.problem);
    return { redirect: pathOf`/console/snapshots/${id}`, notice: { text: texts.snapshots.saved } };
  },
};

const remove: Page = {
  method: "POST",
  path: "/console/snapshots/{id}/delete",
  audience: "operator",
  section: "snapshots",
  answer: async ({ api, params, texts }) => {
    const id = params.id ?? "";
    const done = await api.send("DELETE /snapshots/{id}", { id });
    return done.ok
      ? { redirect: "/console/snapshots", notice: { text: texts.snapshots.deleted } }
      : { redirect: pathOf`/console/snapshots/${id}`, notice: { text: done.problem.detail } };
  },
};

const save: Page = {
  method: "POST",
  path: "/console/snapshots/new",
  audience: "operator",
  section: "snapshots",
  answer: async (request) => {
    const { form: sent, texts } = request;
    const done = await request.api.send("POST /snapshots", {}, typedDefinition(sent));
    if (!done.ok) return definitionForm(request, { problem: done.problem });
    return {
      redirect: pathOf`/console/snapshots/${done.body.id}`,
      notice: { text: texts.snapshots.added(done.body.title) },
    };
  },
};

function typedDefinition(sent: PageRequest["form"]) {
  const { seeds, ...body } = typedThing(definitionBody.fields, {}, sent);
  return { ...body, ...divided(seeds) };
}

/** What was typed as seeds: URLs, and domains. */
function divided(typed: unknown): { seeds: string[]; domains: string[] } {
  const addresses = Array.isArray(typed) ? typed.map(String) : [];
  const isUrl = (text: string) => /^https?:\/\//i.test(text);
  return { seeds: addresses.filter(isUrl), domains: addresses.filter((each) => !isUrl(each)) };
}

/** Returns the field of the form for a field of the API. */
function fieldOf(field: string): string {
  return field.startsWith("seeds") || field.startsWith("domains") ? "seeds" : field;
}

/** The form of a definition: of a stored one, or of a new one. */
async function definitionForm(
  request: PageRequest,
  {
    stored,
    version = "",
    problem,
  }: { stored?: Definition; version?: string | undefined; problem?: ApiProblem | undefined } = {},
): Promise<PageAnswer> {
  const { api, texts } = request;
  const words = texts.snapshots;
  const definitions = await api.all("/snapshots", "definitions", { limit: 500 });
  const earlier = definitions.filter(({ type, id }) => type === "snapshot" && id !== stored?.id);
  const previous = {
    "": words.noPrevious,
    ...Object.fromEntries(earlier.map(({ id, title }) => [id, title])),
  };
  const fields = fieldsOf(definitionBody.fields, stored ?? {}, request).map((field) => {
    if (field.name === "seeds") return { ...field, isRequired: true, rows: 6 };
    return field.name === "previous" ? { ...field, options: previous } : field;
  });
  const title = stored === undefined ? words.add : words.editing(stored.title);
  const to = stored === undefined ? "/console/snapshots/new" : pathOf`/console/snapshots/${stored.id}/edit`;
  const own = stored === undefined ? {} : { hidden: { version }, stored: to };
  const body = html`<div class="heading"><h1>${title}</h1></div>
${form({ request, to, button: words.save, problem, problemField: fieldOf, fields, ...own })}`;
  return { title, body, ...refusedFormStatus(problem) };
}

export const snapshotListPages: readonly Page[] = [list, create, save, edit, change, remove];

/** Returns the actions that the state of a definition permits. */
export function actionsOf(definition: Definition, request: PageRequest): Html {
  const { texts, caller } = request;
  const words = texts.snapshots;
  if (!mayActAs(caller.role, "operator")) return html``;
  const to = pathOf`/console/snapshots/${definition.id}`;
  // Jobs of another crawler can be added until the definition is activated.
  const upload = definition.isActive
    ? ""
    : html`<a class="button" href="${`${to}/jobs/new`}">${texts.uploadedJobs.title}</a>`;
  if (definition.jobIds.length > 0) return html`<div class="actions">${upload}</div>`;
  if (definition.isActive)
    return html`<div class="actions">${upload}${action({ request, to: `${to}/deactivate`, label: words.deactivate })}</div>`;
  const activate = action({
    request,
    to: `${to}/activate`,
    label: words.activate,
    confirm: words.activateConfirm(figure(definition.seeds.length)),
    isMain: true,
  });
  return html`<div class="actions">${upload}<a class="button" href="${`${to}/edit`}">${words.edit}</a>${activate}${action({ request, to: `${to}/delete`, label: words.delete, confirm: words.deleteConfirm })}</div>`;
}
