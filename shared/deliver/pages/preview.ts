import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { ApiRefusal, pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { marcView } from "../../console/parts/marc.ts";
import { outside } from "../../console/parts/outside.ts";
import { pageExcerpt, wholePage } from "../../console/parts/page-text.ts";
import { provenanceTable } from "../../console/parts/provenance.ts";
import { state } from "../../console/parts/state.ts";

type Preview = Answer<"GET /sources/{id}/preview/{previewId}">;

type PreviewedRecord = Preview["records"][number];

/**
 * The records that a source would deliver, each beside its page, and the articles that did not become records, with the
 * reason. `article` shows one of them, with all text that was read from its page.
 */
const preview: Page = {
  method: "GET",
  path: "/console/sources/{id}/preview/{previewId}",
  audience: "viewer",
  section: "sources",
  answer: async (request) => {
    const { api, params, texts, url } = request;
    const got = await api.send("GET /sources/{id}/preview/{previewId}", {
      id: params.id ?? "",
      previewId: params.previewId ?? "",
    });
    if (!got.ok) throw new ApiRefusal(got.problem);
    const isDone = got.status === 200;
    const heading = html`<div class="heading"><h1>${texts.preview.title}</h1>${state(isDone ? (got.body.failure ? "failed" : "finished") : "running", texts)}</div>`;
    const article = url.searchParams.get("article") ?? "";
    const body = article === "" ? list(got.body, isDone, request) : one(got.body, article, request);
    return { title: texts.preview.title, body: html`${heading}${body}`, live: !isDone };
  },
};

function list(
  { status, failure, source, records, missed }: Preview,
  isDone: boolean,
  request: PageRequest,
): Html {
  const { params, texts } = request;
  return html`<p><a href="${pathOf`/console/sources/${params.id ?? ""}`}">${texts.preview.back}</a> · ${texts.preview.nothingDelivered}</p>
${failure ? html`<p class="error">${failure.reason}</p>` : ""}
${source ? html`<p>${texts.preview.found(source.entries, source.requested)} ${source.reason ?? ""} ${source.emptyReason ?? ""}</p>` : html`<p>${texts.preview.waits[status] ?? ""}</p>`}
${records.map((record) => beside(record, record.page ? pageExcerpt(record.page) : withoutPage(request), request))}
${missed.length > 0 ? html`<h2>${texts.preview.missed}</h2><ul>${missed.map((article) => html`<li>${outside(article.url, article.title)}: ${article.reason} ${article.page ? wholeLink(article, request) : ""}</li>`)}</ul>` : ""}
${isDone && records.length + missed.length === 0 ? html`<p class="empty">${texts.preview.empty}</p>` : ""}`;
}

/** Renders one article with its whole page. */
function one({ records, missed }: Preview, url: string, request: PageRequest): Html {
  const { texts } = request;
  const back = html`<p><a href="${request.url.pathname}">${texts.preview.all}</a></p>`;
  const record = records.find((each) => each.url === url);
  if (record) {
    const page = record.page ? wholePage(record.page, request) : withoutPage(request);
    return html`${back}${beside(record, page, request)}`;
  }
  const article = missed.find((each) => each.url === url);
  if (article === undefined) return html`${back}<p class="empty">${texts.source.noArticle}</p>`;
  return html`${back}<article><h2>${article.title ?? article.url}</h2><p>${outside(url)}</p><p class="error">${article.reason}</p>
<h3>${texts.preview.onThePage}</h3>${article.page ? wholePage(article.page, request) : withoutPage(request)}</article>`;
}

/** Renders a record beside its page. */
function beside(record: PreviewedRecord, page: Html, request: PageRequest): Html {
  const { texts, url: address } = request;
  const { outcome, findings, title, url, warnings } = record;
  const isOne = address.searchParams.get("article") !== null;
  const origin = isOne ? record.provenance : record.provenance.filter(({ disagrees }) => disagrees);
  return html`<article><h2>${title}</h2>
<p>${state(outcome === "delinquent" ? "refused" : outcome, texts)}</p>
${findings.length > 0 ? html`<ul>${findings.map((finding) => html`<li class="error">${finding}</li>`)}</ul>` : ""}
${warnings.length > 0 ? html`<ul>${warnings.map((warning) => html`<li class="warning">${warning}</li>`)}</ul>` : ""}
<div class="beside"><section class="read"><h3>${texts.preview.onThePage}</h3><p>${outside(url)}</p>${page}${!isOne && record.page ? html`<p>${wholeLink(record, request)}</p>` : ""}</section>
<section><h3>${texts.preview.record}</h3>${marcView(record.record)}${origin.length > 0 ? html`<h3>${texts.provenance.title}</h3>${provenanceTable(origin, request)}` : ""}</section></div></article>`;
}

function wholeLink({ url, title }: { url: string; title?: string | undefined }, request: PageRequest): Html {
  const { texts } = request;
  return html`<a href="${withQuery(request.url.pathname, { article: url })}">${texts.preview.whole}<span class="hidden">: ${title ?? url}</span></a>`;
}

function withoutPage({ texts }: PageRequest): Html {
  return html`<p class="quiet">${texts.preview.noPage}</p>`;
}

export const previewPages: readonly Page[] = [preview];
