import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { type ApiProblem, ApiRefusal, ifUnchanged, withQuery } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { form } from "../../console/parts/form.ts";
import { outside } from "../../console/parts/outside.ts";
import { refusedFormStatus, takesStoredVersion } from "../../console/parts/refused-form.ts";
import { state } from "../../console/parts/state.ts";
import { table } from "../../console/parts/table.ts";

const to = "/console/recipes/edit";

type StoredRecipe = Answer<"GET /recipes/{id}">;
type Trial = Answer<"GET /recipes/trials/{id}">;
type FinishedTrial = Extract<Trial, { status: "finished" }>;
type TriedField = FinishedTrial["fields"][number];

/** The form for changing or adding a recipe, with the result of its trial. */
const edit: Page = {
  method: "GET",
  path: to,
  audience: "viewer",
  section: "sources",
  answer: async (request) => {
    const query = request.url.searchParams;
    const stored = await storedRecipe(query.get("id") ?? "", request);
    const trialId = query.get("trial") ?? "";
    if (trialId === "") return editPage(request, { stored });
    const trial = await request.api.get("/recipes/trials/{id}", { id: trialId });
    if (trial.status === "finished") return editPage(request, { stored, trial });
    const { texts } = request;
    const body = html`<div class="heading"><h1>${texts.recipes.title}</h1></div><p>${outside(trial.url)}</p><p>${state("running", texts)} ${texts.recipes.asking}</p>`;
    return { title: texts.recipes.title, body, live: true };
  },
};

/** Tries the recipe of the form on a page, saves it, or deletes it. */
const change: Page = {
  method: "POST",
  path: to,
  audience: "operator",
  section: "sources",
  answer: async (request) => {
    const { api, form: sent, texts } = request;
    const { act = "", version = "" } = sent;
    const id = (sent.id ?? "").trim();
    if (act === "try") return tryRecipe(id, request);
    const stored = await storedRecipe(id, request);
    const toml = (sent.toml ?? "").replaceAll("\r\n", "\n");
    if (act === "delete") {
      const deleted = await api.send("DELETE /recipes/{id}", { id }, undefined, ifUnchanged(version));
      if (!deleted.ok && stored?.etag === undefined) throw new ApiRefusal(deleted.problem);
      if (!deleted.ok) return editPage(request, { stored, problem: deleted.problem });
      const undo = { to, fields: { id, act: "save", version: "", toml: stored?.toml ?? "" } };
      return { redirect: "/console/recipes", notice: { text: texts.recipes.deleted(id), undo } };
    }
    const headers = version === "" ? { "if-none-match": "*" } : ifUnchanged(version);
    const saved = await api.send("PUT /recipes/{id}", { id }, { toml }, headers);
    if (!saved.ok) return editPage(request, { stored, problem: saved.problem });
    const isChange = stored?.etag !== undefined;
    const fields = { id, act: isChange ? "save" : "delete", version: saved.body.etag ?? "" };
    const undo = { to, fields: { ...fields, ...(isChange && { toml: stored.toml }) } };
    return { redirect: withQuery(to, { id }), notice: { text: texts.recipes.saved(id), undo } };
  },
};

async function tryRecipe(id: string, request: PageRequest): Promise<PageAnswer> {
  const { toml = "", url = "", html: page = "", groupId = "", version = "" } = request.form;
  const started = await request.api.send(
    "POST /recipes/try",
    {},
    {
      toml: toml.replaceAll("\r\n", "\n"),
      ...(page.trim() !== "" && { html: page }),
      ...(url.trim() !== "" && { url: url.trim() }),
      ...(groupId.trim() !== "" && { groupId: groupId.trim() }),
    },
  );
  if (!started.ok) {
    return editPage(request, { stored: await storedRecipe(id, request), problem: started.problem });
  }
  const trial = started.body.result.split("/").at(-1) ?? "";
  return { redirect: withQuery(to, { id, trial, version }) };
}

async function storedRecipe(id: string, { api }: PageRequest): Promise<StoredRecipe | undefined> {
  if (id === "") return undefined;
  const found = await api.send("GET /recipes/{id}", { id });
  return found.ok ? found.body : undefined;
}

function editPage(
  request: PageRequest,
  {
    stored,
    trial,
    problem,
  }: { stored: StoredRecipe | undefined; trial?: FinishedTrial; problem?: ApiProblem },
): PageAnswer {
  const { texts, caller, url, form: sent } = request;
  const { recipes: words } = texts;
  const isStored = stored?.etag !== undefined;
  const mayChange = mayActAs(caller.role, "operator");
  const title = stored === undefined ? words.newRecipe : words.recipeOf(stored.name ?? stored.id);
  const version = takesStoredVersion(problem)
    ? (stored?.etag ?? "")
    : (sent.version ?? url.searchParams.get("version") ?? stored?.etag ?? "");
  const body = html`
<p><a href="/console/recipes">${words.title}</a></p>
<div class="heading"><h1>${title}</h1>${isStored && mayChange ? action({ request, to, label: words.delete, fields: { id: stored.id, act: "delete", version: stored.etag ?? "" } }) : ""}</div>
${stored === undefined ? "" : html`<p>${words.origins[stored.origin]}. ${words.proofs[stored.proof]}. ${stored.origin === "built-in" ? words.replaces : ""}</p>`}
${trial === undefined ? "" : trialResult(trial, request)}
${mayChange ? recipeForm(request, { stored, trial, problem, version }) : html`<pre>${stored?.toml ?? ""}</pre>`}`;
  return { title, body, ...refusedFormStatus(problem) };
}

function recipeForm(
  request: PageRequest,
  {
    stored,
    trial,
    problem,
    version,
  }: {
    stored: StoredRecipe | undefined;
    trial: FinishedTrial | undefined;
    problem: ApiProblem | undefined;
    version: string;
  },
): Html {
  const { recipes: words, add } = request.texts;
  const id = stored?.id ?? request.url.searchParams.get("id") ?? "";
  const toml = trial?.toml ?? stored?.toml ?? words.example;
  return form({
    request,
    to,
    button: words.save,
    problem,
    // A problem of the recipe names a field of it.
    problemField: (name) => (["id", "url", "html", "groupId"].includes(name) ? name : "toml"),
    hidden: { version, ...(stored !== undefined && { id }) },
    stored: stored === undefined ? undefined : withQuery(to, { id }),
    beforeButton: html`<p><button name="act" value="try">${words.try}</button></p>`,
    fields: [
      ...(stored === undefined
        ? [{ name: "id", label: words.id, value: id, hint: words.idHint, isRequired: true }]
        : []),
      { name: "toml", label: words.toml, kind: "textarea", value: toml, hint: words.tomlHint, rows: 24 },
      { name: "url", label: words.page, kind: "url", value: trial?.url ?? "", hint: words.pageHint },
      { name: "html", label: words.html, kind: "textarea", hint: words.htmlHint, rows: 4 },
      { name: "groupId", label: request.texts.sources.group, hint: add.groupHint, isMore: true },
    ],
  });
}

function trialResult({ url, isForPage, fields, problems }: FinishedTrial, request: PageRequest): Html {
  const { recipes: words, provenance } = request.texts;
  const nameOf = (field: string) => Object.entries(provenance.fields).find(([name]) => name === field)?.[1];
  return html`<section aria-live="polite"><h2 id="trial">${words.trial}</h2>
<p>${outside(url)}</p>
${isForPage ? "" : html`<p class="warning">${words.notForPage}</p>`}
${problems.length === 0 ? "" : html`<ul>${problems.map((problem) => html`<li class="warning">${problem}</li>`)}</ul>`}
${table({
  request,
  caption: words.trial,
  columns: [
    { head: provenance.field, cell: ({ field }: TriedField) => nameOf(field) ?? field },
    { head: provenance.value, cell: ({ values }) => values.join("; ") },
    { head: provenance.witness, cell: ({ from }) => html`<code>${from}</code>` },
    { head: words.used, cell: ({ isUsed }) => (isUsed ? words.isUsed : words.isNotUsed) },
    { head: words.without, cell: ({ without }) => without ?? "" },
  ],
  rows: fields,
  empty: words.nothing,
})}</section>`;
}

export const editRecipePages: readonly Page[] = [edit, change];
