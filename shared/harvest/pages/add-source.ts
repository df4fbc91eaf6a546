import { html } from "hono/html";
import { type ApiProblem, ApiRefusal, pathOf, withQuery } from "../../console/api.ts";
import type { Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { form } from "../../console/parts/form.ts";
import { outside } from "../../console/parts/outside.ts";
import { state } from "../../console/parts/state.ts";
import { sourceFields } from "../../records/sources/source-fields.ts";
import { proposedSourceForm, saveProposedSource } from "./proposed-source.ts";

/** The fields of a proposed source that the form contains. The other fields are saved as proposed. */
const { title, sourceId, groupId, url } = sourceFields;
const fields = { title, sourceId, groupId, url };

/** The form for the address of a new source. */
const ask: Page = {
  method: "GET",
  path: "/console/sources/add",
  audience: "operator",
  section: "sources",
  answer: async (request) => askPage(request),
};

function askPage(request: PageRequest, problem?: ApiProblem): PageAnswer {
  const { texts } = request;
  const body = html`<div class="heading"><h1>${texts.add.title}</h1></div>
<p>${texts.add.explanation}</p>
${form({
  request,
  to: "/console/sources/add",
  button: texts.add.look,
  problem,
  fields: [
    { name: "url", label: texts.add.address, kind: "url", isRequired: true, hint: texts.add.addressHint },
    { name: "groupId", label: texts.sources.group, hint: texts.add.groupHint },
  ],
})}`;
  return { title: texts.add.title, body, ...(problem && { status: 400 as const }) };
}

const detect: Page = {
  method: "POST",
  path: "/console/sources/add",
  audience: "operator",
  section: "sources",
  answer: async (request) => {
    const { url = "", groupId = "" } = request.form;
    const started = await request.api.send(
      "POST /detections",
      {},
      {
        url: url.trim(),
        ...(groupId.trim() !== "" && { groupId: groupId.trim() }),
      },
    );
    if (!started.ok) return askPage(request, started.problem);
    return { redirect: pathOf`/console/sources/add/${started.body.result.split("/").at(-1) ?? ""}` };
  },
};

/** The proposed source at the address, to be saved. */
const found: Page = {
  method: "GET",
  path: "/console/sources/add/{id}",
  audience: "operator",
  section: "sources",
  answer: (request) => foundPage(request),
};

async function foundPage(request: PageRequest, problem?: ApiProblem): Promise<PageAnswer> {
  const { api, params, texts } = request;
  const id = params.id ?? "";
  const got = await api.send("GET /detections/{id}", { id });
  if (!got.ok) throw new ApiRefusal(got.problem);
  const heading = html`<div class="heading"><h1>${texts.add.title}</h1></div><p>${outside(got.body.url)}</p>`;
  if (got.body.status === "running") {
    return {
      title: texts.add.title,
      live: true,
      body: html`${heading}<p>${state("running", texts)} ${texts.add.asking}</p>`,
    };
  }
  const { outcome } = got.body;
  if (outcome.type === "nothing") {
    const body = html`${heading}<p class="error">${texts.add.nothing(outcome.detail)}</p><p><a href="/console/sources/add">${texts.add.other}</a></p>`;
    return { title: texts.add.title, body };
  }
  const { source } = outcome;
  const body = html`${heading}
<p class="good"><strong>${texts.add.kinds[outcome.kind]}</strong></p><p>${outcome.detail}</p>${
    source.type === "OAI-PMH"
      ? html`<p><a class="button" href="${withQuery("/console/sources/check", { url: source.url })}">${texts.check.start}</a></p>`
      : ""
  }
${proposedSourceForm({ fields, source }, { request, to: pathOf`/console/sources/add/${id}`, problem })}`;
  return { title: texts.add.title, body, ...(problem && { status: 400 as const }) };
}

const save: Page = {
  method: "POST",
  path: "/console/sources/add/{id}",
  audience: "operator",
  section: "sources",
  answer: async (request) => {
    const { api, params } = request;
    const got = await api.get("/detections/{id}", { id: params.id ?? "" });
    if (got.status === "running" || got.outcome.type === "nothing") return foundPage(request);
    return saveProposedSource({ fields, source: got.outcome.source }, request, (problem) =>
      foundPage(request, problem),
    );
  },
};

export const addSourcePages: readonly Page[] = [ask, detect, found, save];
