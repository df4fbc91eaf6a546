import { html } from "hono/html";
import { pathOf } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { form } from "../../console/parts/form.ts";
import { exactTime } from "../../console/parts/time.ts";

const path = "/console/snapshots/{id}/jobs/new";
const ownPath = (id = "") => pathOf`/console/snapshots/${id}/jobs/new`;

/** Asks for the names of the files of a job that another crawler has run. */
const names: Page = {
  method: "GET",
  path,
  audience: "operator",
  section: "snapshots",
  answer: async (request) => namesPage(request),
};

/** Sends each file directly to the store, because files may have gigabytes. */
const add: Page = {
  method: "POST",
  path,
  audience: "operator",
  section: "snapshots",
  answer: async (request) => {
    const { api, form: sent, params, texts } = request;
    const files = (sent.files ?? "").split(/\s+/).filter((name) => name !== "");
    const startedAt = sent.startedAt ? { startedAt: `${sent.startedAt}T00:00:00Z` } : {};
    const done = await api.send(
      "POST /snapshots/{id}/jobs",
      { id: params.id ?? "" },
      { files, ...startedAt },
    );
    if (!done.ok) return namesPage(request, done.problem);
    const words = texts.uploadedJobs;
    const { job, files: places, expiresAt } = done.body;
    return {
      title: words.title,
      body: html`<div class="heading"><h1>${words.filesOf(job.id)}</h1></div>
<p>${words.sendText(exactTime(new Date(expiresAt), request))}</p>
<pre class="scroll" tabindex="0">${places.map(({ name, url }) => `curl -T ${name} '${url}'\n`).join("")}</pre>
${completion(job.id, request)}`,
    };
  },
};

async function namesPage(
  request: PageRequest,
  problem?: Parameters<typeof form>[0]["problem"],
): Promise<PageAnswer> {
  const { params, texts } = request;
  const words = texts.uploadedJobs;
  const body = html`<div class="heading"><h1>${words.title}</h1></div>
<p>${words.text}</p>
${form({
  request,
  to: ownPath(params.id),
  button: words.add,
  problem,
  problemField: (field) => field.replace(/\..*/, ""),
  fields: [
    { name: "files", label: words.files, kind: "textarea", hint: words.filesHint, isRequired: true },
    { name: "startedAt", label: words.startedAt, kind: "date", hint: words.startedAtHint },
  ],
})}`;
  return { title: words.title, body, ...(problem && { status: 400 as const }) };
}

/** Returns the button to confirm that all files of a job were sent. */
export function completion(jobId: number, request: PageRequest): Html {
  return action({
    request,
    to: pathOf`/console/snapshots/${request.params.id ?? ""}/complete`,
    label: request.texts.uploadedJobs.complete,
    fields: { jobId: String(jobId) },
    isMain: true,
  });
}

/** The button that gives up a job whose files do not come. */
export function cancellation(jobId: number, request: PageRequest): Html {
  const words = request.texts.uploadedJobs;
  return action({
    request,
    to: pathOf`/console/snapshots/${request.params.id ?? ""}/cancel`,
    label: words.cancel,
    confirm: words.cancelText,
    fields: { jobId: String(jobId) },
  });
}

/** A page that changes an uploaded job, and leads back to the snapshot with a notice. */
function jobChange(verb: "cancel" | "complete", notice: "cancelled" | "completed"): Page {
  return {
    method: "POST",
    path: `/console/snapshots/{id}/${verb}`,
    audience: "operator",
    section: "snapshots",
    answer: async ({ api, params, form: { jobId = "" }, texts }) => {
      const done = await api.send(`POST /capture-jobs/{jobId}/${verb}`, { jobId });
      return {
        redirect: pathOf`/console/snapshots/${params.id ?? ""}`,
        notice: { text: done.ok ? texts.uploadedJobs[notice](Number(jobId)) : done.problem.detail },
      };
    },
  };
}

export const uploadedJobPages: readonly Page[] = [
  names,
  add,
  jobChange("complete", "completed"),
  jobChange("cancel", "cancelled"),
];
