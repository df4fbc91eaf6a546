import { html } from "hono/html";
import type { Page } from "../../console/page.ts";
import { table } from "../../console/parts/table.ts";
import { time } from "../../console/parts/time.ts";

/** The progress and the outcome of an import with many changes. */
const progress: Page = {
  method: "GET",
  path: "/console/sources/imports/{id}",
  audience: "viewer",
  section: "sources",
  answer: async (request) => {
    const { api, params, texts } = request;
    const found = await api.get("/config/imports/{id}", { id: params.id ?? "" });
    const { status, by, requestedAt, total, applied } = found;
    const ended = "endedAt" in found ? found : undefined;
    const { reason, failed = [], failedCount = 0 } = ended ?? {};
    const words = texts.conf;
    const title = ended ? words.importEnded[ended.status] : words.importRuns;
    const body = html`<p><a href="/console/sources/versions">${words.versions}</a></p>
<div class="heading"><h1>${title}</h1></div>
<p>${words.importedBy(by)} ${time(requestedAt, request)}</p>
${status === "refused" ? html`<p class="error">${words.nothingImported} ${reason ?? ""}</p>` : html`<p>${words.applied(applied - failedCount, total)}</p>`}
${status === "stopped" ? html`<p class="error">${words.importAgain} ${reason ?? ""}</p>` : ""}
${ended ? "" : html`<progress max="${total}" value="${applied}" aria-label="${title}"></progress>`}
${
  failed.length === 0
    ? ""
    : html`<h2>${words.notImported(failedCount)}</h2>${table({
        request,
        caption: words.notImported(failedCount),
        columns: [
          { head: texts.record.source, cell: ({ kind, id }: (typeof failed)[number]) => `${kind} ${id}` },
          { head: texts.refused.why, cell: ({ reason }) => reason },
        ],
        rows: failed,
        empty: "",
      })}`
}`;
    return { title, body, live: ended === undefined };
  },
};

export const importProgressPages: readonly Page[] = [progress];
