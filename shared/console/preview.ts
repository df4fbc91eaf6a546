import { html } from "hono/html";
import { ApiRefusal, pathOf } from "./api.ts";
import type { Html, Page, PageRequest } from "./page.ts";
import { type MarcRecord, marcView } from "./parts/marc.ts";
import { outside } from "./parts/outside.ts";
import { state } from "./parts/state.ts";

interface Preview {
  status: "starting" | "harvesting" | "delivering" | "finished" | "failed";
  failure?: { stage: string; reason: string };
  source?: {
    state: "read" | "failed";
    reason?: string;
    emptyReason?: string;
    entries: number;
    requested: number;
  };
  records: {
    outcome: "valid" | "online_first" | "delinquent";
    findings: string[];
    title: string;
    url: string;
    warnings: string[];
    record: MarcRecord;
  }[];
  missed: { url: string; title?: string; reason: string }[];
}

/** What a source would deliver: each record beside its page, and what became none, with the reason. */
const preview: Page = {
  method: "GET",
  path: "/console/sources/{id}/preview/{previewId}",
  audience: "viewer",
  section: "sources",
  answer: async (request) => {
    const { api, params, texts } = request;
    const id = params.id ?? "";
    const got = await api.send<Preview>("GET", pathOf`/sources/${id}/preview/${params.previewId ?? ""}`);
    if (!got.ok) throw new ApiRefusal(got.problem);
    const { status, failure, source, records, missed } = got.body;
    const isDone = got.status === 200;
    const body = html`
<div class="heading"><h1>${texts.preview.title}</h1>${state(isDone ? (failure ? "failed" : "finished") : "running", texts)}</div>
<p><a href="${pathOf`/console/sources/${id}`}">${texts.preview.back}</a> · ${texts.preview.nothingDelivered}</p>
${failure ? html`<p class="error">${failure.reason}</p>` : ""}
${source ? html`<p>${texts.preview.found(source.entries, source.requested)} ${source.reason ?? ""} ${source.emptyReason ?? ""}</p>` : html`<p>${texts.preview.waits[status] ?? ""}</p>`}
${records.map((record) => article(record, request))}
${missed.length > 0 ? html`<h2>${texts.preview.missed}</h2><ul>${missed.map(({ url, title, reason }) => html`<li>${outside(url, title)}: ${reason}</li>`)}</ul>` : ""}
${isDone && records.length + missed.length === 0 ? html`<p class="empty">${texts.preview.empty}</p>` : ""}`;
    return { title: texts.preview.title, body, live: !isDone };
  },
};

function article(
  { outcome, findings, title, url, warnings, record }: Preview["records"][number],
  { texts }: PageRequest,
): Html {
  const name = outcome === "delinquent" ? "refused" : outcome;
  return html`<article><h2>${title}</h2><div class="beside"><section><h3>${texts.preview.onThePage}</h3>
<p>${outside(url)}</p>
<p>${state(name, texts)}</p>
${findings.length > 0 ? html`<ul>${findings.map((finding) => html`<li class="error">${finding}</li>`)}</ul>` : ""}
${warnings.length > 0 ? html`<ul>${warnings.map((warning) => html`<li class="warning">${warning}</li>`)}</ul>` : ""}
</section><section><h3>${texts.preview.record}</h3>${marcView(record)}</section></div></article>`;
}

export const previewPages: readonly Page[] = [preview];
