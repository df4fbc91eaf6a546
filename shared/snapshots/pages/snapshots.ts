import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import { pathOf } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import type { Column } from "../../console/parts/column.ts";
import { form, typedNumber } from "../../console/parts/form.ts";
import { state } from "../../console/parts/state.ts";
import { matchesFilter, wholeList } from "../../console/parts/table.ts";
import { exactTime, time } from "../../console/parts/time.ts";
import { figure } from "../../console/texts/figure.ts";

/** A harvest definition, as the API shows it. */
export interface Definition {
  id: string;
  title: string;
  type: "snapshot" | "selective";
  seeds: string[];
  limits: {
    maxObjects: number;
    maxBytes: number;
    maxObjectBytes: number;
    maxDepth: number;
    maxMinutes: number;
  };
  previous?: string;
  deduplicate: boolean;
  isActive: boolean;
  createdAt: string;
  index?: {
    state: string;
    jobIds: number[];
    missing: number[];
    deadline: string;
    built?: { entries: number };
  };
  jobIds: number[];
  endedAt?: string;
  comment?: string;
  history: { at: string; what: string }[];
}

/** The state of a definition, in one word. */
export function stateOf({ isActive, jobIds, endedAt, index }: Definition): string {
  if (endedAt !== undefined) return "ended";
  if (jobIds.length > 0) return "begun";
  if (!isActive) return "inactive";
  return index === undefined || index.state.startsWith("ready") ? "waiting" : "building";
}

/** Every harvest definition. */
const list: Page = {
  method: "GET",
  path: "/console/snapshots",
  audience: "viewer",
  section: "snapshots",
  isEntry: true,
  answer: async (request) => {
    const { api, texts } = request;
    const definitions = await api.all<Definition>("/snapshots", "definitions", { limit: 500 });
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
  const { texts } = request;
  const words = texts.snapshots;
  return [
    { head: words.name, cell: ({ title }) => title },
    { head: words.kind, cell: ({ type }) => words.kinds[type] },
    { head: words.state, cell: (each) => state(stateOf(each), texts), csv: stateOf },
    { head: words.seeds, cell: ({ seeds }) => seeds.length, isNumber: true },
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
    const addresses = (sent.seeds ?? "").split(/\s+/).filter((each) => each !== "");
    const isAddress = (text: string) => /^https?:\/\//i.test(text);
    const body = {
      title: sent.title ?? "",
      type: sent.type,
      seeds: addresses.filter(isAddress),
      domains: addresses.filter((each) => !isAddress(each)),
      limits: { maxObjects: typedNumber(sent.maxObjects), maxDepth: typedNumber(sent.maxDepth) },
      deduplicate: sent.deduplicate === "yes",
      ...(sent.previous && { previous: sent.previous }),
    };
    const done = await request.api.send<Definition>("POST", "/snapshots", body);
    if (!done.ok) return newDefinition(request, done.problem);
    return {
      redirect: pathOf`/console/snapshots/${done.body.id}`,
      notice: { text: texts.snapshots.added(done.body.title) },
    };
  },
};

/** The field of the form for a field of the API. */
function fieldOf(field: string): string {
  if (field.startsWith("seeds") || field.startsWith("domains")) return "seeds";
  return field.replace(/^limits\./, "");
}

async function newDefinition(
  request: PageRequest,
  problem?: Parameters<typeof form>[0]["problem"],
): Promise<PageAnswer> {
  const { api, texts } = request;
  const words = texts.snapshots;
  const definitions = await api.all<Definition>("/snapshots", "definitions", { limit: 500 });
  const earlier = definitions.filter(({ type }) => type === "snapshot");
  const body = html`<div class="heading"><h1>${words.add}</h1></div>
${form({
  request,
  to: "/console/snapshots/new",
  button: words.save,
  problem,
  problemField: fieldOf,
  fields: [
    { name: "title", label: words.name, isRequired: true },
    { name: "type", label: words.kind, options: words.kindChoices },
    { name: "seeds", label: words.seeds, kind: "textarea", hint: words.seedsHint, isRequired: true },
    { name: "maxDepth", label: words.depth, kind: "number", value: "1", hint: words.depthHint },
    { name: "maxObjects", label: words.maxObjects, kind: "number", value: "10000" },
    {
      name: "previous",
      label: words.previous,
      hint: words.previousHint,
      options: { "": words.noPrevious, ...Object.fromEntries(earlier.map(({ id, title }) => [id, title])) },
    },
    // A box that is not ticked is not sent.
    { name: "deduplicate", label: words.deduplicate, kind: "checkbox", value: problem ? "" : "yes" },
  ],
})}`;
  return { title: words.add, body, ...(problem && { status: 400 as const }) };
}

export const snapshotListPages: readonly Page[] = [list, create, save];

/** The actions that fit the state of a definition. */
export function actionsOf(definition: Definition, request: PageRequest): Html {
  const { texts, caller } = request;
  const words = texts.snapshots;
  if (!mayActAs(caller.role, "operator")) return html``;
  const to = pathOf`/console/snapshots/${definition.id}`;
  // Jobs of another crawler may be added until the definition is activated.
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
