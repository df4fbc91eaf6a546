import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { pathOf } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { sizeText } from "../../console/parts/size.ts";
import { state } from "../../console/parts/state.ts";
import { storedFile } from "../../console/parts/stored-file.ts";
import { changed, table, wholeList } from "../../console/parts/table.ts";
import { exactTime, time } from "../../console/parts/time.ts";
import { journalTypes, sourceTypes } from "../../records/sources/source-type.ts";

type Document = Answer<"GET /sources/{id}/documents/{documentId}">;

/** The types of sources that list documents. Journals list articles instead. */
const documentTypes = sourceTypes.filter((type) => !(journalTypes as readonly string[]).includes(type));

/** The list of sources that list documents. */
const sources: Page = {
  method: "GET",
  path: "/console/documents",
  audience: "viewer",
  section: "documents",
  isEntry: true,
  answer: async (request) => {
    const { api, texts } = request;
    const q = request.url.searchParams.get("q") ?? undefined;
    const asked = { type: documentTypes.join(","), q, limit: 1000 };
    const rows = await api.all("/sources", "sources", asked);
    return wholeList({
      request,
      title: texts.sections.documents,
      fileName: "sources-of-documents.csv",
      caption: texts.sections.documents,
      columns: [
        { head: texts.documents.source, cell: ({ title, sourceId }) => title ?? sourceId },
        { head: texts.documents.address, cell: ({ url }) => url },
      ],
      rows,
      link: ({ sourceId }) => pathOf`/console/documents/${sourceId}`,
      empty: texts.documents.noSource,
      filter: { label: texts.documents.source },
      around: (shown) => html`<div class="heading"><h1>${texts.sections.documents}</h1></div>${shown}`,
    });
  },
};

/** The documents of a source. The last changed document is first. */
const list: Page = {
  method: "GET",
  path: "/console/documents/{sourceId}",
  audience: "viewer",
  section: "documents",
  answer: async (request) => {
    const { api, texts, params, url } = request;
    const sourceId = params.sourceId ?? "";
    const after = url.searchParams.get("after") ?? undefined;
    const [source, page] = await Promise.all([
      api.get("/sources/{id}", { id: sourceId }),
      api.get("/sources/{id}/documents", { id: sourceId, limit: 50, after }),
    ]);
    const title = source.title ?? sourceId;
    const shown = table({
      request,
      caption: title,
      columns: [
        { head: texts.documents.title, cell: (each) => each.title ?? each.identifier },
        { head: texts.documents.identifier, cell: ({ identifier }) => identifier },
        { head: texts.documents.state, cell: (each) => state(each.state, texts) },
        {
          head: texts.documents.changedAt,
          cell: ({ changedAt }) => time(changedAt, request),
          csv: ({ changedAt }) => exactTime(new Date(changedAt), request),
        },
      ],
      rows: page.documents,
      link: ({ documentId }) => pathOf`/console/documents/${sourceId}/${documentId}`,
      empty: texts.documents.none,
      pages: {
        first: after === undefined ? undefined : changed(url, { after: undefined }),
        next: page.next === undefined ? undefined : changed(url, { after: page.next }),
      },
    });
    const body = html`<div class="heading"><h1>${title}</h1>
<a class="button" href="${pathOf`/console/sources/${sourceId}`}">${texts.documents.toSource}</a></div>${shown}`;
    return { title, body };
  },
};

/** One document, with its versions, its files, and its metadata as the source sent them. */
const document: Page = {
  method: "GET",
  path: "/console/documents/{sourceId}/{documentId}",
  audience: "viewer",
  section: "documents",
  answer: async (request) => {
    const { api, texts, params } = request;
    const asked = { id: params.sourceId ?? "", documentId: params.documentId ?? "" };
    const found = await api.get("/sources/{id}/documents/{documentId}", asked);
    const content = await api.send("GET /sources/{id}/documents/{documentId}/content", asked);
    const title = found.title ?? found.identifier;
    const body = html`<div class="heading"><h1>${title}</h1>${state(found.state, texts)}</div>
<dl class="pairs">
<div><dt>${texts.documents.identifier}</dt><dd>${found.identifier}</dd></div>
${found.datestamp ? html`<div><dt>${texts.documents.datestamp}</dt><dd>${found.datestamp}</dd></div>` : ""}
${found.sets?.length ? html`<div><dt>${texts.documents.sets}</dt><dd>${found.sets.join(", ")}</dd></div>` : ""}
</dl>
<h2>${texts.documents.files}</h2>
${found.items.length === 0 ? html`<p class="empty">${texts.documents.noFiles}</p>` : html`<ul>${found.items.map((item) => itemRow(item, request))}</ul>`}
<h2>${texts.documents.versions}</h2>
<ul>${found.versions
      .toReversed()
      .map(
        ({ version, type, at }) =>
          html`<li>${texts.documents.version(version, texts.documents.types[type])} ${time(at, request)}</li>`,
      )}</ul>
<h2>${texts.documents.metadata}</h2>
${content.ok ? html`<p class="quiet">${content.body.format}</p><pre class="text">${content.body.raw}</pre>` : html`<p class="empty">${content.problem.detail}</p>`}`;
    return { title, body };
  },
};

function itemRow(item: Document["items"][number], request: PageRequest): Html {
  const { params, texts } = request;
  const { itemId, url, contentType, sizeBytes, problem } = item;
  const to = pathOf`/console/documents/${params.sourceId ?? ""}/${params.documentId ?? ""}/items/${itemId}`;
  const size = sizeBytes === undefined ? "" : sizeText(sizeBytes);
  return html`<li>${state(item.state, texts)} ${
    sizeBytes === undefined ? url : html`<a href="${to}" download>${url}</a>`
  } <span class="quiet">${[contentType, size, problem?.reason].filter(Boolean).join(", ")}</span></li>`;
}

/** Redirects to the file of an item, which the browser fetches from the store. */
const file: Page = {
  method: "GET",
  path: "/console/documents/{sourceId}/{documentId}/items/{itemId}",
  audience: "viewer",
  section: "documents",
  answer: async ({ api, params }) => {
    const { sourceId: id = "", documentId = "", itemId = "" } = params;
    const asked = { id, documentId, itemId };
    return storedFile(
      await api.send("GET /sources/{id}/documents/{documentId}/items/{itemId}/file", asked),
      itemId,
    );
  },
};

export const documentPages: readonly Page[] = [sources, list, document, file];
