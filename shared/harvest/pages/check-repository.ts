import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { type ApiProblem, ApiRefusal, pathOf } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { form, typedNumber } from "../../console/parts/form.ts";
import { outside } from "../../console/parts/outside.ts";
import { state } from "../../console/parts/state.ts";
import { table } from "../../console/parts/table.ts";
import { sourceFields } from "../../records/sources/source-fields.ts";
import { proposedSourceForm, saveProposedSource } from "./proposed-source.ts";

type Report = Extract<Answer<"GET /repository-checks/{id}">, { status: "finished" }>;

/** What is asked of a proposed source; the rest of it is saved as it was proposed. */
const { title, sourceId, groupId, url, throttleMs, oai } = sourceFields;
const fields = { title, sourceId, groupId, url, throttleMs, oai };

/** Asks for a repository. */
const ask: Page = {
  method: "GET",
  path: "/console/sources/check",
  audience: "operator",
  section: "sources",
  answer: async (request) => askPage(request),
};

function askPage(request: PageRequest, problem?: ApiProblem): PageAnswer {
  const { texts, language } = request;
  const { metadataPrefix, set } = sourceFields.oai.fields;
  const body = html`<div class="heading"><h1>${texts.check.title}</h1></div>
<p>${texts.check.explanation}</p>
${form({
  request,
  to: "/console/sources/check",
  button: texts.check.start,
  problem,
  fields: [
    {
      name: "url",
      label: texts.add.address,
      kind: "url",
      isRequired: true,
      value: request.url.searchParams.get("url") ?? "",
    },
    { name: "groupId", label: texts.sources.group, hint: texts.add.groupHint },
    { name: "metadataPrefix", label: metadataPrefix.label[language], isMore: true },
    { name: "set", label: set.label[language], hint: set.hint[language], isMore: true },
    { name: "pages", label: texts.check.pages, kind: "number", isMore: true },
  ],
})}`;
  return { title: texts.check.title, body, ...(problem && { status: 400 as const }) };
}

const start: Page = {
  method: "POST",
  path: "/console/sources/check",
  audience: "operator",
  section: "sources",
  answer: async (request) => {
    const { url = "", groupId = "", metadataPrefix = "", set = "", pages = "" } = request.form;
    const given = Object.entries({ groupId, metadataPrefix, set, pages }).flatMap(([name, text]) =>
      text.trim() === "" ? [] : [[name, name === "pages" ? typedNumber(text) : text.trim()]],
    );
    const body = { url: url.trim(), ...Object.fromEntries(given) };
    const started = await request.api.send("POST /repository-checks", {}, body);
    if (!started.ok) return askPage(request, started.problem);
    return { redirect: pathOf`/console/sources/check/${started.body.result.split("/").at(-1) ?? ""}` };
  },
};

/** What was found, and the proposed source to save. */
const found: Page = {
  method: "GET",
  path: "/console/sources/check/{id}",
  audience: "operator",
  section: "sources",
  answer: (request) => foundPage(request),
};

async function foundPage(request: PageRequest, problem?: ApiProblem): Promise<PageAnswer> {
  const { api, params, texts } = request;
  const id = params.id ?? "";
  const got = await api.send("GET /repository-checks/{id}", { id });
  if (!got.ok) throw new ApiRefusal(got.problem);
  const check = got.body;
  const heading = html`<div class="heading"><h1>${texts.check.title}</h1></div><p>${outside(check.url)}</p>`;
  if (check.status === "running") {
    const body = html`${heading}<p>${state("running", texts)} ${texts.check.asking(check.requests)}</p>`;
    return { title: texts.check.title, live: true, body };
  }
  const { proposal } = check;
  const to = pathOf`/console/sources/check/${id}`;
  const body = html`${heading}${reportView(check, request)}${
    proposal &&
    html`
<h2>${texts.check.proposal}</h2>${reasonsView(proposal, request)}
${proposedSourceForm({ fields, source: proposal.source }, { request, to, problem })}`
  }`;
  return { title: texts.check.title, body, ...(problem && { status: 400 as const }) };
}

function reportView(check: Report, request: PageRequest): Html {
  const { texts, language } = request;
  const { list, findings, metadata } = check;
  const columns: Column<Report["findings"][number]>[] = [
    {
      head: texts.check.severity,
      cell: ({ severity, section }) => outside(section, texts.check.severities[severity]),
    },
    {
      head: texts.check.seen,
      cell: ({ id, seen, times }) =>
        html`<strong>${id}</strong><br>${seen}${times > 1 ? html` (${texts.check.times(times)})` : ""}`,
    },
    { head: texts.check.rule, cell: ({ rule }) => rule[language] },
    { head: texts.check.effect, cell: ({ effect }) => effect[language] },
  ];
  return html`${check.complete ? "" : html`<p class="error">${texts.check.stopped(check.reason ?? "")}</p>`}
<p>${texts.check.list(list.records, list.deleted, list.pages)} ${list.whole ? "" : texts.check.part} ${list.announced === undefined ? "" : texts.check.announced(list.announced)}</p>
<h2>${texts.check.findings}</h2>
${table({ request, caption: texts.check.findings, columns, rows: findings, empty: texts.check.none })}
${metadata.map((rating) => ratingView(rating, request))}`;
}

function ratingView(
  { metadataPrefix, records, fields }: Report["metadata"][number],
  request: PageRequest,
): Html {
  const { texts } = request;
  const caption = `${texts.check.metadata}: ${metadataPrefix}`;
  const columns: Column<(typeof fields)[number]>[] = [
    { head: texts.check.field, cell: ({ field }) => field },
    { head: "%", cell: (row) => Math.floor((100 * row.records) / records), isNumber: true },
  ];
  return html`<h2>${caption}</h2>${table({ request, caption, columns, rows: fields, empty: "" })}`;
}

function reasonsView(
  { reasons }: NonNullable<Report["proposal"]>,
  { texts, language }: PageRequest,
): Html | "" {
  if (reasons.length === 0) return "";
  return html`<p>${texts.check.because}:</p><ul>${reasons.map(({ setting, why }) => html`<li><code>${setting}</code>: ${why[language]}</li>`)}</ul>`;
}

const save: Page = {
  method: "POST",
  path: "/console/sources/check/{id}",
  audience: "operator",
  section: "sources",
  answer: async (request) => {
    const { api, params } = request;
    const check = await api.get("/repository-checks/{id}", { id: params.id ?? "" });
    if (check.status === "running" || check.proposal === undefined) return foundPage(request);
    return saveProposedSource({ fields, source: check.proposal.source }, request, (problem) =>
      foundPage(request, problem),
    );
  },
};

export const checkRepositoryPages: readonly Page[] = [ask, start, found, save];
