import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { ApiRefusal, ifUnchanged, pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import type { Column } from "../../console/parts/column.ts";
import { form } from "../../console/parts/form.ts";
import { outside } from "../../console/parts/outside.ts";
import { refusedFormStatus, takesStoredVersion } from "../../console/parts/refused-form.ts";
import { isRunning, type Run } from "../../console/parts/run-figures.ts";
import { state } from "../../console/parts/state.ts";
import { table } from "../../console/parts/table.ts";
import {
  changedFields,
  choiceTexts,
  fieldsOf,
  sentValues,
  typedThing,
} from "../../console/parts/table-form.ts";
import { exactTime, time } from "../../console/parts/time.ts";
import type { FieldTable } from "../../core/field-table.ts";
import { oaiFields } from "../../records/sources/oai-fields.ts";
import { sourceOperatorRows } from "../../records/sources/operator-fields.ts";
import { readsDocuments } from "../../records/sources/reading.ts";
import { sourceFields } from "../../records/sources/source-fields.ts";
import { decideDeletionsPage, heldDeletionsView } from "./deletion-decision.ts";
import { articlesOf, articleTable } from "./source-articles.ts";
import { hostOf, trend } from "./sources.ts";

type Source = Answer<"GET /sources/{id}">;

type SourceRun = Answer<"GET /sources/{id}/runs">["runs"][number];
type Progress = Answer<"GET /runs/{id}">["sources"][number];

/** The fields of a source that operators set. The mode of an imported source is part of the configuration. */
const settableFields: FieldTable & Pick<typeof sourceFields, "deliveryMode"> = {
  deliveryMode: sourceFields.deliveryMode,
  ...sourceOperatorRows,
};

/** The fields of the form. Sources of documents have a crosswalk, and those of the type OAI-PMH have sets. */
function formFields({ type }: Pick<Source, "type">): FieldTable {
  const { crosswalk: _ofDocuments, ...others } = settableFields;
  const typesOfDocuments: Readonly<Record<string, boolean>> = readsDocuments;
  if (!typesOfDocuments[type ?? ""]) return others;
  const { set, sets } = oaiFields;
  const oai = { ...sourceFields.oai, fields: { set, sets } };
  return { ...settableFields, ...(type === "OAI-PMH" && { oai }) };
}

/** The time after the end of a run during which the page still checks for the report of the run. */
const reportMs = 30_000;

/** A source, with its results and the reasons for missing articles, its settings, and the actions on it. */
const source: Page = {
  method: "GET",
  path: "/console/sources/{id}",
  audience: "viewer",
  section: "sources",
  answer: (request) => sourcePage(request),
};

async function sourcePage(request: PageRequest, problem?: ApiRefusal["problem"]): Promise<PageAnswer> {
  const { api, params, texts, url } = request;
  const id = params.id ?? "";
  const [stored, { runs }, latest] = await Promise.all([
    api.send("GET /sources/{id}", { id }),
    api.get("/sources/{id}/runs", { id, limit: 30 }),
    api.get("/runs", { limit: 1, mode: "LIVE" }),
  ]);
  if (!stored.ok) throw new ApiRefusal(stored.problem);
  const { body: found, headers } = stored;
  const title = found.title ?? id;
  const deletions = await heldDeletionsView(found, request);
  const running = latest.runs.find(isRunning);
  // The report of a run is stored shortly after the end of the run.
  const hasNews = latest.runs.some(
    (run) => isRunning(run) || request.now.getTime() - Date.parse(run.finishedAt ?? "") < reportMs,
  );
  const progress = running && (await progressOf(running, id, request));
  const runId = url.searchParams.get("run") ?? runs[0]?.runId;
  const articles = runId === undefined ? undefined : await articlesOf(runId, request);
  const body = html`
<div class="heading"><h1>${title} ${found.paused ? state("paused", texts) : ""}</h1><div class="actions">${actionsOf(found, request)}</div></div>
${"problem" in found ? html`<p class="error">${found.problem}</p>` : ""}${deletions}
${progress ? progressView(progress, request) : ""}
<div class="columns"><section><h2>${texts.source.settings}</h2>${settings(found, request)}</section>
<section><h2>${texts.source.brought}</h2>${trend(runs, request)}${runTable(runs, request)}</section></div>
${articles ? html`<h2 id="articles">${texts.source.articles}</h2>${articleTable(articles, request)}` : ""}
${mayActAs(request.caller.role, "operator") ? html`<h2 id="change">${texts.source.change}</h2>${settingsForm(found, request, { problem, version: takesStoredVersion(problem) ? headers.etag : request.form.version })}` : ""}`;
  return {
    title,
    body,
    live: hasNews,
    ...refusedFormStatus(problem),
  };
}

/**
 * Returns the progress of the source in the current run.
 * @returns undefined when the run does not read the source
 */
async function progressOf({ runId }: Run, id: string, { api }: PageRequest): Promise<Progress | undefined> {
  const report = await api.get("/runs/{id}", { id: runId, source: id });
  return report.sources[0];
}

function actionsOf({ sourceId, type, deliveryMode, url, paused }: Source, request: PageRequest): Html {
  const { texts } = request;
  const page = url === undefined ? "" : outside(url, texts.source.open, "button");
  if (!mayActAs(request.caller.role, "operator")) return html`${page}`;
  const upload =
    type === "UPLOAD"
      ? html`<a class="button" href="${pathOf`/console/sources/${sourceId}/upload`}">${texts.upload.title}</a>`
      : "";
  return html`${upload}${
    deliveryMode === undefined || deliveryMode === "NONE"
      ? ""
      : action({
          request,
          to: "/console/runs",
          label: texts.source.harvest,
          confirm: texts.source.harvestConfirm(deliveryMode === "LIVE"),
          fields: { mode: deliveryMode, source: sourceId },
        })
  }${action({ request, to: pathOf`/console/sources/${sourceId}/preview`, label: texts.source.preview, isMain: true })}${action(
    {
      request,
      to: pathOf`/console/sources/${sourceId}/pause`,
      label: paused ? texts.source.resume : texts.source.pause,
      fields: { paused: paused ? "no" : "yes" },
    },
  )}<a class="button" href="${pathOf`/console/sources/${sourceId}/delete`}">${texts.source.delete}</a>${page}`;
}

function progressView({ entries, requested, read, converted }: Progress, { texts }: PageRequest): Html {
  return html`<p>${state("running", texts)} <progress max="${Math.max(1, requested)}" value="${read}" aria-label="${texts.source.progress(read, requested)}"></progress> ${texts.source.progress(read, requested)}; ${texts.source.listed(entries, converted)}</p>`;
}

function settings(found: Source, { texts, language }: PageRequest): Html {
  const host = hostOf(found);
  const pairs: [string, Html | string | number | undefined][] = [
    ["Id", found.sourceId],
    [texts.sources.type, found.type],
    [
      settableFields.deliveryMode.label[language],
      found.deliveryMode && choiceTexts(settableFields.deliveryMode, language)[found.deliveryMode],
    ],
    ["URL", found.url && outside(found.url)],
    [texts.sources.host, host && html`<a href="${pathOf`/console/hosts/${host}`}">${host}</a>`],
    [texts.sources.group, found.groupId],
    [
      sourceFields.collectionId.label[language],
      html`<a href="${pathOf`/console/collections/${found.collectionId ?? found.sourceId}`}">${found.collectionId ?? found.sourceId}</a>`,
    ],
    [
      texts.quality.link,
      html`<a href="${pathOf`/console/sources/${found.sourceId}/quality`}">${texts.quality.fields}</a>`,
    ],
    [texts.source.window, found.updateWindowDays ? texts.source.days(found.updateWindowDays) : undefined],
  ];
  return html`<dl class="pairs">${pairs
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
<details><summary>${texts.source.all}</summary><pre tabindex="0">${JSON.stringify(found, undefined, 2)}</pre></details>`;
}

function runTable(runs: readonly SourceRun[], request: PageRequest): Html {
  const { texts, params } = request;
  const columns: Column<SourceRun>[] = [
    {
      head: texts.run.title,
      cell: ({ startedAt }) => time(startedAt, request),
      csv: ({ startedAt }) => exactTime(new Date(startedAt), request),
    },
    {
      head: texts.sources.state,
      cell: (run) => html`${state(run.state === "read" ? "finished" : "failed", texts)} ${run.reason ?? ""}`,
    },
    { head: texts.run.listed, cell: ({ entries }) => entries, isNumber: true },
    { head: texts.run.delivered, cell: ({ delivered }) => delivered, isNumber: true },
    { head: texts.run.refused, cell: ({ refused }) => refused, isNumber: true },
    { head: texts.source.left, cell: (run) => run.known + run.duplicates, isNumber: true },
    {
      head: texts.source.lost,
      cell: (run) => run.unusable + run.unreachable + run.unanswered,
      isNumber: true,
    },
  ];
  return table({
    request,
    caption: texts.source.brought,
    columns,
    rows: runs.slice(0, 10),
    link: ({ runId }) => `${withQuery(pathOf`/console/sources/${params.id ?? ""}`, { run: runId })}#articles`,
    empty: texts.source.noRun,
  });
}

function settingsForm(
  found: Source,
  request: PageRequest,
  { problem, version = "" }: { problem: ApiRefusal["problem"] | undefined; version: string | undefined },
): Html {
  const { texts } = request;
  return form({
    request,
    to: pathOf`/console/sources/${found.sourceId}`,
    button: texts.source.save,
    problem,
    hidden: { version },
    stored: pathOf`/console/sources/${found.sourceId}`,
    fields: fieldsOf(formFields(found), found, request),
  });
}

/**
 * Sets the fields that were changed in the form. The form of a source that operators added also contains the mode; the
 * mode of other sources is part of the configuration.
 */
const change: Page = {
  method: "POST",
  path: "/console/sources/{id}",
  audience: "operator",
  section: "sources",
  answer: async (request) => {
    const { api, form: sent, params, texts } = request;
    const id = params.id ?? "";
    const before = await api.get("/sources/{id}", { id });
    const fields = formFields(before);
    const wanted = changedFields(fields, before, typedThing(fields, before, sent));
    const done = await api.send("PATCH /sources/{id}", { id }, wanted, ifUnchanged(sent.version));
    if (!done.ok) return sourcePage(request, done.problem);
    return {
      redirect: pathOf`/console/sources/${id}`,
      notice: {
        text: texts.source.saved,
        undo: {
          to: pathOf`/console/sources/${id}`,
          fields: {
            ...sentValues(fieldsOf(fields, before, request)),
            version: done.headers.etag ?? "",
          },
        },
      },
    };
  },
};

/** Starts a preview, and shows it. */
const startPreview: Page = {
  method: "POST",
  path: "/console/sources/{id}/preview",
  audience: "operator",
  section: "sources",
  answer: async ({ api, params }) => {
    const started = await api.send("POST /sources/{id}/preview", { id: params.id ?? "" });
    if (!started.ok) throw new ApiRefusal(started.problem);
    return { redirect: `/console${started.body.result}` };
  },
};

/** Pauses a source or ends its pause. No confirmation is needed, because the action can be undone. */
const pause: Page = {
  method: "POST",
  path: "/console/sources/{id}/pause",
  audience: "operator",
  section: "sources",
  answer: async ({ api, params, form: sent, texts }) => {
    const id = params.id ?? "";
    const paused = sent.paused === "yes";
    const done = await api.send("PATCH /sources/{id}", { id }, { paused });
    if (!done.ok) throw new ApiRefusal(done.problem);
    const undo = { to: pathOf`/console/sources/${id}/pause`, fields: { paused: paused ? "no" : "yes" } };
    const text = paused ? texts.source.paused : texts.source.resumed;
    return { redirect: pathOf`/console/sources/${id}`, notice: { text, undo } };
  },
};

export const sourcePages: readonly Page[] = [source, change, startPreview, pause, decideDeletionsPage];
