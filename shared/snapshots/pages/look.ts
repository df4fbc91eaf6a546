import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { pathOf } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { table } from "../../console/parts/table.ts";
import { exactTime, time } from "../../console/parts/time.ts";

type CapturePackage = Answer<"GET /capture-jobs/{jobId}/package">;

const path = "/console/capture-jobs/{jobId}/look";

/** Returns the address of the page of a job. `packing`: its package was requested. */
export function lookPath(jobId: number | string, query: { packing?: "yes" } = {}): string {
  const own = pathOf`/console/capture-jobs/${String(jobId)}/look`;
  return query.packing === undefined ? own : `${own}?packing=${query.packing}`;
}

/** Shows the capture of a job: first offers to pack it, then opens it in a viewer. */
const look: Page = {
  method: "GET",
  path,
  audience: "viewer",
  section: "snapshots",
  answer: async (request) => {
    const { api, params, texts, url } = request;
    const words = texts.look;
    const jobId = params.jobId ?? "";
    const job = await api.get("/capture-jobs/{jobId}", { jobId });
    const found = await api.send("GET /capture-jobs/{jobId}/package", { jobId });
    const isPacking = !found.ok && url.searchParams.get("packing") === "yes";
    const title = words.title(job.id);
    const body = html`<div class="heading"><h1>${title}</h1></div>
<p><a href="${pathOf`/console/snapshots/${job.definitionId}`}">${words.snapshot}</a></p>
${found.ok ? viewers(found.body, request) : isPacking ? html`<p>${words.packing}</p>` : packing(request)}`;
    return { title, body, live: isPacking };
  },
};

/**
 * Returns the links to viewers. On one machine, there is a viewer on a separate origin. Elsewhere, the
 * package is downloaded.
 */
function viewers({ url, expiresAt, elsewhere }: CapturePackage, request: PageRequest): Html {
  const { replayOrigin, texts, params } = request;
  const words = texts.look;
  const title = words.title(Number(params.jobId));
  const shown = replayOrigin && `${replayOrigin}/look?${new URLSearchParams({ package: url, title })}`;
  return html`<div class="actions">${
    shown
      ? html`<a class="button main" href="${shown}" target="_blank" rel="noreferrer noopener">${words.open}</a>`
      : ""
  }<a class="button" href="${url}" download>${words.download}</a></div>
<p>${shown ? words.openText : words.downloadText}</p>
<p class="quiet">${words.until(exactTime(new Date(expiresAt), request))}</p>
${elsewhere.length === 0 ? "" : keptElsewhere(elsewhere, request)}`;
}

/** Lists the content that the viewer cannot show, and where it is. */
function keptElsewhere(elsewhere: CapturePackage["elsewhere"], request: PageRequest): Html {
  const { texts } = request;
  const words = texts.look;
  return html`<h2>${words.elsewhere}</h2>
<p>${words.elsewhereText}</p>
${table({
  caption: words.elsewhere,
  columns: [
    { head: words.url, cell: ({ url }) => url },
    { head: words.capturedAt, cell: ({ capturedAt }) => time(capturedAt, request) },
    { head: words.keptIn, cell: ({ file, offset }) => `${file}, ${offset}` },
  ],
  rows: elsewhere,
  empty: "",
  request,
})}`;
}

function packing(request: PageRequest): Html {
  const words = request.texts.look;
  if (!mayActAs(request.caller.role, "operator")) return html`<p class="empty">${words.notPacked}</p>`;
  return html`<p>${words.packText}</p>
<div class="actions">${action({ request, to: lookPath(request.params.jobId ?? ""), label: words.pack, isMain: true })}</div>`;
}

const pack: Page = {
  method: "POST",
  path,
  audience: "operator",
  section: "snapshots",
  answer: async ({ api, params }) => {
    const jobId = params.jobId ?? "";
    const done = await api.send("POST /capture-jobs/{jobId}/package", { jobId });
    if (!done.ok) return { redirect: lookPath(jobId), notice: { text: done.problem.detail } };
    return { redirect: lookPath(jobId, { packing: "yes" }) };
  },
};

export const lookPages: readonly Page[] = [look, pack];
