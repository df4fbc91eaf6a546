import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import { type Api, ApiRefusal, type ApiResult, pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { type Finding, type MarcRecord, marcView } from "../../console/parts/marc.ts";
import { marcDiff } from "../../console/parts/marc-diff.ts";
import { outside } from "../../console/parts/outside.ts";
import { state } from "../../console/parts/state.ts";
import { table } from "../../console/parts/table.ts";
import { time } from "../../console/parts/time.ts";

interface StoredRecord {
  recordId: string;
  title: string;
  landingUrl: string;
  sourceId: string;
  collectionId: string;
  state: string;
  updatedAt: string;
  link: { status: string; collectionStatus: string };
  marc: MarcRecord;
}

interface ArchiveEntry {
  state: string;
  doi?: string;
  urls: string[];
  at: string;
  file?: string;
  error?: string;
  expiresAt?: string;
}

interface Delinquent {
  deliveryMode: "LIVE" | "TEST";
  findings: Finding[];
  refusedAt: string;
  released?: { at: string };
  note?: { text: string; by: string; at: string };
}

interface Check {
  judgedAt: string;
  verdict: string;
  reason: string;
  hops: { url: string; status: number }[];
}

interface Version {
  at: string;
  marc: MarcRecord;
}

/** A record: its fields with the findings beside them, and its history. */
const record: Page = {
  method: "GET",
  path: "/console/records/{id}",
  audience: "viewer",
  section: "records",
  answer: async (request) => {
    const { api, params, url } = request;
    const id = params.id ?? "";
    const [stored, { versions }, archived, delinquent, checks] = await Promise.all([
      api.get<StoredRecord>(pathOf`/records/${id}`),
      api.get<{ versions: Version[] }>(pathOf`/records/${id}/versions`),
      archiveOf(api, id),
      api.send<Delinquent>("GET", pathOf`/delinquent-records/${id}`),
      api.send<{ checks: Check[] }>("GET", withQuery(pathOf`/records/${id}/checks`, { limit: 10 })),
    ]);
    const refused = ifFound(delinquent);
    const isXml = url.searchParams.get("view") === "xml";
    const { texts } = request;
    const fields = isXml
      ? await xmlOf(api, id)
      : marcView(stored.marc, findingsIn(refused?.findings ?? [], request));
    const body = html`
<div class="heading"><h1>${stored.title}</h1><div class="actions">${actionsOf(stored, refused, request)}</div></div>
<div class="columns"><section><h2>${texts.record.status}</h2>${facts(stored, archived, refused, request)}</section>
<section><h2>${texts.record.links}</h2>${checkTable(ifFound(checks)?.checks ?? [], request)}</section></div>
<h2>${texts.record.fields}</h2>
<p class="actions">${isXml ? html`<a href="${pathOf`/console/records/${id}`}">MARC</a> <strong>XML</strong>` : html`<strong>MARC</strong> <a href="${pathOf`/console/records/${id}`}?view=xml">XML</a>`}</p>
${fields}
${versionsPart(versions, request)}`;
    return { title: stored.title, body };
  },
};

/** The entry in the archive of the library's deliveries, or else of test ones. */
async function archiveOf(api: Api, id: string): Promise<(ArchiveEntry & { mode: string }) | undefined> {
  for (const mode of ["LIVE", "TEST"]) {
    const found = await api.send<ArchiveEntry>("GET", withQuery(pathOf`/archive/${id}`, { mode }));
    if (found.ok) return { ...found.body, mode };
  }
  return undefined;
}

/** @throws ApiRefusal for other problems than that there is none */
function ifFound<Body>(result: ApiResult<Body>): Body | undefined {
  if (result.ok) return result.body;
  if (result.problem.status === 404) return undefined;
  throw new ApiRefusal(result.problem);
}

async function xmlOf(api: Api, id: string): Promise<Html> {
  const accept = { accept: "application/marcxml+xml" };
  const xml = ifFound(await api.send<string>("GET", pathOf`/records/${id}`, undefined, accept));
  return html`<pre tabindex="0">${xml ?? ""}</pre>`;
}

function actionsOf(
  { recordId, landingUrl, link }: StoredRecord,
  refused: Delinquent | undefined,
  request: PageRequest,
): Html {
  const { texts } = request;
  const open = outside(landingUrl, texts.record.open, "button");
  if (!mayActAs(request.caller.role, "operator")) return html`${open}`;
  const act = (to: string, label: string, confirm?: string, fields?: Record<string, string>) =>
    action({
      request,
      to: `${pathOf`/console/records/${recordId}`}/${to}`,
      label,
      ...(confirm && { confirm }),
      ...(fields && { fields }),
    });
  return html`${refused && !refused.released ? html`${act("release", texts.record.release, texts.record.releaseConfirm)}${act("revalidate", texts.record.revalidate)}` : ""}
${link.status === "active" ? "" : act("restore", texts.record.restore, texts.record.restoreConfirm)}
${act("archive", texts.record.again, texts.record.againConfirm, { state: "reset" })}${act("archive", texts.record.ignore, texts.record.ignoreConfirm, { state: "ignore" })}${open}`;
}

/** The versions of a record, each with what differs from the one before it. */
function versionsPart(versions: readonly Version[], request: PageRequest): Html {
  const { record: words } = request.texts;
  if (versions.length < 2) return html``;
  return html`<h2>${words.versions}</h2>${versions.slice(0, -1).map(({ at, marc }, index) => {
    const before = versions[index + 1] ?? { at, marc };
    return html`<details${index === 0 ? html` open` : ""}><summary>${time(at, request)}: ${words.changedSince} ${time(before.at, request)}</summary>${marcDiff(before.marc, marc, `${words.versions} ${index + 1}`)}</details>`;
  })}`;
}

function facts(
  stored: StoredRecord,
  archived: (ArchiveEntry & { mode: string }) | undefined,
  refused: Delinquent | undefined,
  request: PageRequest,
): Html {
  const { texts } = request;
  const pairs: [string, Html | string | undefined][] = [
    ["Id", stored.recordId],
    [texts.record.state, html`${state(stored.state, texts)} ${time(stored.updatedAt, request)}`],
    [
      texts.record.source,
      html`<a href="${pathOf`/console/sources/${stored.sourceId}`}">${stored.sourceId}</a>`,
    ],
    [texts.record.page, outside(stored.landingUrl)],
    [
      texts.record.archive,
      archived
        ? html`${state(archived.state, texts)} ${time(archived.at, request)} ${archived.mode === "TEST" ? texts.sources.modes.TEST : ""} ${archived.error ?? ""}`
        : texts.record.notArchived,
    ],
    ["DOI", archived?.doi && outside(`https://doi.org/${archived.doi}`, archived.doi)],
    [
      texts.record.file,
      archived?.file &&
        html`<a href="${withQuery("/console/deliveries", { q: archived.file })}">${archived.file}</a>`,
    ],
    [
      texts.record.refused,
      refused &&
        html`${time(refused.refusedAt, request)} ${refused.released ? state("released", texts) : ""}`,
    ],
    [
      texts.record.note,
      refused?.note &&
        html`${refused.note.text} <span class="quiet">${refused.note.by}, ${time(refused.note.at, request)}</span>`,
    ],
    [texts.record.link, state(stored.link.status, texts)],
    [
      texts.source.collection,
      html`<a href="${pathOf`/console/collections/${stored.collectionId}`}">${stored.collectionId}</a> ${state(stored.link.collectionStatus, texts)}`,
    ],
  ];
  return html`<dl class="pairs">${pairs
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}

function checkTable(checks: readonly Check[], request: PageRequest): Html {
  const { texts } = request;
  return table({
    request,
    caption: texts.record.links,
    columns: [
      { head: texts.record.checked, cell: ({ judgedAt }) => time(judgedAt, request) },
      { head: texts.sources.state, cell: ({ verdict }) => state(verdict, texts) },
      { head: texts.source.why, cell: ({ reason }) => reason },
      { head: "HTTP", cell: ({ hops }) => hops.map(({ status }) => status).join(" → "), isNumber: true },
    ],
    rows: checks,
    empty: texts.record.neverChecked,
  });
}

/** An action on a record, which its page then shows. */
function actionPage(
  name: string,
  act: (request: PageRequest, id: string) => Promise<ApiResult<unknown>>,
  done: (request: PageRequest) => string,
): Page {
  return {
    method: "POST",
    path: `/console/records/{id}/${name}`,
    audience: "operator",
    section: "records",
    answer: async (request) => {
      const id = request.params.id ?? "";
      const result = await act(request, id);
      if (!result.ok) throw new ApiRefusal(result.problem);
      return { redirect: pathOf`/console/records/${id}`, notice: { text: done(request) } };
    },
  };
}

const release = actionPage(
  "release",
  ({ api }, id) => api.send("POST", pathOf`/delinquent-records/${id}/release`),
  ({ texts }) => texts.record.released,
);
const revalidate = actionPage(
  "revalidate",
  ({ api }, id) => api.send("POST", pathOf`/delinquent-records/${id}/revalidate`),
  ({ texts }) => texts.record.revalidated,
);
const restore = actionPage(
  "restore",
  ({ api }, id) => api.send("POST", pathOf`/records/${id}/restore`),
  ({ texts }) => texts.record.restored,
);
const archive = actionPage(
  "archive",
  ({ api, form }, id) => api.send("PUT", pathOf`/archive/${id}`, { state: form.state }),
  ({ texts }) => texts.record.archived,
);

/** The findings with their reasons in the language of the page. */
function findingsIn(findings: readonly Finding[], { texts }: PageRequest): Finding[] {
  return findings.map((finding) => ({ ...finding, reason: texts.reason(finding.reason) }));
}

export const recordPages: readonly Page[] = [record, release, revalidate, restore, archive];
