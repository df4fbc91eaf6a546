import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { pathOf } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import type { Column } from "../../console/parts/column.ts";
import { form } from "../../console/parts/form.ts";
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
  answer: async (request) => newDefinition(request),
};

const save: Page = {
  method: "POST",
  path: "/console/snapshots/new",
  audience: "operator",
  section: "snapshots",
  answer: async (request) => {
    const { form: sent, texts } = request;
    const { seeds, ...body } = typedThing(definitionBody.fields, {}, sent);
    const done = await request.api.send("POST /snapshots", {}, { ...body, ...divided(seeds) });
    if (!done.ok) return newDefinition(request, done.problem);
    return {
      redirect: pathOf`/console/snapshots/${done.body.id}`,
      notice: { text: texts.snapshots.added(done.body.title) },
    };
  },
};

/** Divides the lines of the seeds field into URLs and domains. */
function divided(typed: unknown): { seeds: string[]; domains: string[] } {
  const addresses = Array.isArray(typed) ? typed.map(String) : [];
  const isUrl = (text: string) => /^https?:\/\//i.test(text);
  return { seeds: addresses.filter(isUrl), domains: addresses.filter((each) => !isUrl(each)) };
}

/** Returns the field of the form for a field of the API. */
function fieldOf(field: string): string {
  return field.startsWith("seeds") || field.startsWith("domains") ? "seeds" : field;
}

async function newDefinition(
  request: PageRequest,
  problem?: Parameters<typeof form>[0]["problem"],
): Promise<PageAnswer> {
  const { api, texts } = request;
  const words = texts.snapshots;
  const definitions = await api.all("/snapshots", "definitions", { limit: 500 });
  const earlier = definitions.filter(({ type }) => type === "snapshot");
  const previous = {
    "": words.noPrevious,
    ...Object.fromEntries(earlier.map(({ id, title }) => [id, title])),
  };
  const fields = fieldsOf(definitionBody.fields, {}, request).map((field) => {
    if (field.name === "seeds") return { ...field, isRequired: true, rows: 6 };
    return field.name === "previous" ? { ...field, options: previous } : field;
  });
  const body = html`<div class="heading"><h1>${words.add}</h1></div>
${form({ request, to: "/console/snapshots/new", button: words.save, problem, problemField: fieldOf, fields })}`;
  return { title: words.add, body, ...(problem && { status: 400 as const }) };
}

export const snapshotListPages: readonly Page[] = [list, create, save];

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
  return html`<div class="actions">${upload}${
    definition.isActive
      ? action({ request, to: `${to}/deactivate`, label: words.deactivate })
      : action({
          request,
          to: `${to}/activate`,
          label: words.activate,
          confirm: words.activateConfirm(figure(definition.seeds.length)),
          isMain: true,
        })
  }</div>`;
}
