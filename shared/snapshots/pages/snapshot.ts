import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { pathOf } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { state } from "../../console/parts/state.ts";
import { storedFile } from "../../console/parts/stored-file.ts";
import { fieldPairs } from "../../console/parts/table-form.ts";
import { time } from "../../console/parts/time.ts";
import { figure } from "../../console/texts/figure.ts";
import { definitionBody } from "../routes/definition-body.ts";
import { lookPath } from "./look.ts";
import { actionsOf, type Definition, stateOf } from "./snapshots.ts";
import { cancellation, completion } from "./uploaded-jobs.ts";

type Job = Answer<"GET /snapshots/{id}/jobs">["jobs"][number];

const isRunning = ({ state }: Job) => state === "new" || state === "submitted" || state === "started";

/** Shows a harvest definition: its index, its jobs with their files, and its history. */
const snapshot: Page = {
  method: "GET",
  path: "/console/snapshots/{id}",
  audience: "viewer",
  section: "snapshots",
  answer: async (request) => {
    const { api, texts, params, language } = request;
    const words = texts.snapshots;
    const { title: _heading, seeds, previous, ...others } = definitionBody.fields;
    const id = params.id ?? "";
    const [definition, jobs] = await Promise.all([
      api.get("/snapshots/{id}", { id }),
      api.all("/snapshots/{id}/jobs", "jobs", { id }),
    ]);
    const body = html`<div class="heading"><h1>${definition.title}</h1>${state(stateOf(definition), texts)}</div>
${definition.comment ? html`<p>${definition.comment}</p>` : ""}
${actionsOf(definition, request)}
<dl class="pairs">
${definition.index ? indexRow(definition.index, request) : ""}
${definition.previous ? html`<div><dt>${previous.label[language]}</dt><dd><a href="${pathOf`/console/snapshots/${definition.previous}`}">${definition.previous}</a></dd></div>` : ""}
</dl>
${fieldPairs(others, definition, request)}
<h2>${words.jobs}</h2>
${jobs.length === 0 ? html`<p class="empty">${words.noJobs}</p>` : jobs.map((job) => jobPart(job, request))}
<h2>${seeds.label[language]}</h2>
<ul>${definition.seeds.slice(0, maxSeeds).map((seed) => html`<li>${seed}</li>`)}</ul>
${definition.seeds.length > maxSeeds ? html`<p class="quiet">${words.moreSeeds(figure(definition.seeds.length - maxSeeds))}</p>` : ""}
<h2>${words.history}</h2>
<ul>${definition.history.toReversed().map(({ at, what }) => html`<li>${time(at, request)} ${what}</li>`)}</ul>`;
    return {
      title: definition.title,
      body,
      live: jobs.some(isRunning) || ["building", "waiting"].includes(stateOf(definition)),
    };
  },
};

const maxSeeds = 50;

function indexRow(
  { state: name, jobIds, missing, built }: NonNullable<Definition["index"]>,
  request: PageRequest,
): Html {
  const words = request.texts.snapshots;
  return html`<div><dt>${words.index}</dt><dd>${words.indexStates[name]}
${jobIds.length === 0 ? "" : html`<span class="quiet">${words.indexJobs(jobIds.join(", "))}</span>`}
${missing.length === 0 ? "" : html`<span class="warning">${words.missing(missing.join(", "))}</span>`}
${built === undefined ? "" : html`<a href="${pathOf`/console/snapshots/${request.params.id ?? ""}/index`}">${words.report(figure(built.entries))}</a>`}</dd></div>`;
}

function jobPart(job: Job, request: PageRequest): Html {
  const { texts, caller } = request;
  const words = texts.snapshots;
  const files = [
    ...job.files,
    ...(job.hasCrawlLog && job.uploaded === undefined ? ["index.cdxj", "crawl.log"] : []),
  ];
  return html`<section><h3>${words.job(job.id)} ${state(job.state, texts)}</h3>
<p>${words.captured(figure(job.objects), figure(Math.round(job.bytes / 1_000_000)))}
${job.startedAt ? html`<span class="quiet">${words.from} ${time(job.startedAt, request)}</span>` : ""}
${job.endedAt ? html`<span class="quiet">${words.until} ${time(job.endedAt, request)}</span>` : ""}</p>
${job.limit ? html`<p class="warning">${words.limitReached[job.limit]}</p>` : ""}
${job.unreadLinks ? html`<p class="warning">${words.unreadLinks(figure(job.unreadLinks.dropped), figure(job.unreadLinks.cutResources))}</p>` : ""}
${job.comment ? html`<p>${job.comment}</p>` : ""}
${job.uploaded ? uploadPart({ ...job, uploaded: job.uploaded }, request) : ""}
${files.length > 0 ? html`<ul>${files.map((name) => html`<li><a href="${pathOf`/console/capture-jobs/${String(job.id)}/files/${name}`}" download>${name}</a></li>`)}</ul>` : ""}
${job.files.length > 0 ? html`<p><a href="${lookPath(job.id)}">${words.look}</a></p>` : ""}
${
  job.uploaded === undefined &&
  (job.state === "failed" || job.state === "submitted") &&
  mayActAs(caller.role, "operator")
    ? action({
        request,
        to: pathOf`/console/snapshots/${request.params.id ?? ""}/resubmit`,
        label: words.resubmit,
        fields: { jobId: String(job.id) },
      })
    : ""
}</section>`;
}

/** Shows the files of another crawler's job, or those for which the job waits. */
function uploadPart({ id, state: name, uploaded }: Job & { uploaded: string[] }, request: PageRequest): Html {
  const words = request.texts.uploadedJobs;
  const waits = name === "submitted";
  return html`<p>${waits ? words.waits(uploaded.join(", ")) : words.has(uploaded.join(", "))}</p>
${waits && mayActAs(request.caller.role, "operator") ? html`${completion(id, request)}${cancellation(id, request)}` : ""}`;
}

/** Redirects to a file of a job, which the browser fetches from the store. */
const file: Page = {
  method: "GET",
  path: "/console/capture-jobs/{jobId}/files/{name}",
  audience: "viewer",
  section: "snapshots",
  answer: async ({ api, params: { jobId = "", name = "" } }) =>
    storedFile(await api.send("GET /capture-jobs/{jobId}/files/{name}", { jobId, name }), name),
};

/** Returns the page of an action on a definition. @param name as in the API */
function change(name: "activate" | "deactivate"): Page {
  return {
    method: "POST",
    path: `/console/snapshots/{id}/${name}`,
    audience: "operator",
    section: "snapshots",
    answer: async ({ api, params, texts }) => {
      const id = params.id ?? "";
      const to = pathOf`/console/snapshots/${id}`;
      const done = await api.send(`POST /snapshots/{id}/${name}`, { id });
      return {
        redirect: to,
        notice: { text: done.ok ? texts.snapshots.changed[name] : done.problem.detail },
      };
    },
  };
}

const resubmit: Page = {
  method: "POST",
  path: "/console/snapshots/{id}/resubmit",
  audience: "operator",
  section: "snapshots",
  answer: async ({ api, params, form, texts }) => {
    const done = await api.send("POST /capture-jobs/{jobId}/resubmit", { jobId: form.jobId ?? "" });
    return {
      redirect: pathOf`/console/snapshots/${params.id ?? ""}`,
      notice: { text: done.ok ? texts.snapshots.resubmitted(done.body.id) : done.problem.detail },
    };
  },
};

export const snapshotPages: readonly Page[] = [
  snapshot,
  file,
  change("activate"),
  change("deactivate"),
  resubmit,
];
