import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { type Api, type ApiProblem, ApiRefusal, pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { type Finding, marcView } from "../../console/parts/marc.ts";
import { marcDiff } from "../../console/parts/marc-diff.ts";
import { outside } from "../../console/parts/outside.ts";
import { provenanceTable } from "../../console/parts/provenance.ts";
import { state } from "../../console/parts/state.ts";
import { table } from "../../console/parts/table.ts";
import { time } from "../../console/parts/time.ts";

type StoredRecord = Answer<"GET /records/{id}">;

type ArchiveEntry = Answer<"GET /archive/{recordId}">;

type RefusedRecord = Answer<"GET /refused-records/{id}">;

type Check = Answer<"GET /records/{id}/checks">["checks"][number];

type Version = Answer<"GET /records/{id}/versions">["versions"][number];

/** A record, with the findings beside its fields, and its history. */
const record: Page = {
  method: "GET",
  path: "/console/records/{id}",
  audience: "viewer",
  section: "records",
  answer: async (request) => {
    const { api, params, url } = request;
    const id = params.id ?? "";
    const [stored, { versions }, archived, refusal, checks] = await Promise.all([
      api.get("/records/{id}", { id }),
      api.get("/records/{id}/versions", { id }),
      archiveOf(api, id),
      api.send("GET /refused-records/{id}", { id }),
      api.send("GET /records/{id}/checks", { id, limit: 10 }),
    ]);
    const refused = ifFound(refusal);
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
${stored.provenance ? html`<h2>${texts.provenance.title}</h2>${noticesOf(stored, request)}${provenanceTable(stored.provenance, request)}` : ""}
${versionsPart(versions, request)}`;
    return { title: stored.title, body };
  },
};

/** Returns the record's entry in the archive of the library's deliveries or, if there is none, of test deliveries. */
async function archiveOf(api: Api, id: string): Promise<(ArchiveEntry & { mode: string }) | undefined> {
  for (const mode of ["LIVE", "TEST"]) {
    const found = await api.send("GET /archive/{recordId}", { recordId: id, mode });
    if (found.ok) return { ...found.body, mode };
  }
  return undefined;
}

/**
 * Returns a body, or undefined if it does not exist.
 * @throws ApiRefusal for any other problem
 */
function ifFound<Body>(
  result: { ok: true; body: Body } | { ok: false; problem: ApiProblem },
): Body | undefined {
  if (result.ok) return result.body;
  if (result.problem.status === 404) return undefined;
  throw new ApiRefusal(result.problem);
}

async function xmlOf(api: Api, id: string): Promise<Html> {
  const xml = ifFound(await api.text("/records/{id}", { id }, "application/marcxml+xml"));
  return html`<pre tabindex="0">${xml ?? ""}</pre>`;
}

function actionsOf(
  { recordId, landingUrl, link, state: current }: StoredRecord,
  refused: RefusedRecord | undefined,
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
${
  current === "delivered"
    ? action({
        request,
        to: "/console/reconversions",
        label: texts.reconversions.convertAgain,
        fields: { record: recordId },
      })
    : ""
}${act("archive", texts.record.again, texts.record.againConfirm, { state: "reset" })}${act("archive", texts.record.ignore, texts.record.ignoreConfirm, { state: "ignore" })}${open}`;
}

/** Renders the retractions and corrections of the article; contradictions are in the table of origins. */
function noticesOf({ originFindings = [] }: StoredRecord, { texts }: PageRequest): Html {
  const notices = originFindings.filter(({ ruleId }) => ruleId !== "witnesses-disagree");
  return html`${notices.map(({ ruleId, reason }) => html`<p class="error">${texts.ruleNames[ruleId]}: ${reason}</p>`)}`;
}

/** Renders the versions of a record, each with its differences from the previous version. */
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
  refused: RefusedRecord | undefined,
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

/** Builds the page of an action on a record. After the action, the page of the record is shown. */
function actionPage(
  name: string,
  act: (request: PageRequest, id: string) => Promise<{ ok: true } | { ok: false; problem: ApiProblem }>,
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
  ({ api }, id) => api.send("POST /refused-records/{id}/release", { id }),
  ({ texts }) => texts.record.released,
);
const revalidate = actionPage(
  "revalidate",
  ({ api }, id) => api.send("POST /refused-records/{id}/revalidate", { id }),
  ({ texts }) => texts.record.revalidated,
);
const restore = actionPage(
  "restore",
  ({ api }, id) => api.send("POST /records/{id}/restore", { id }),
  ({ texts }) => texts.record.restored,
);
const archive = actionPage(
  "archive",
  ({ api, form }, id) => api.send("PUT /archive/{recordId}", { recordId: id }, { state: form.state }),
  ({ texts }) => texts.record.archived,
);

/** Returns the findings with their reasons in the language of the page. */
function findingsIn(findings: readonly Finding[], { texts }: PageRequest): Finding[] {
  return findings.map((finding) => ({ ...finding, reason: texts.reason(finding.reason) }));
}

export const recordPages: readonly Page[] = [record, release, revalidate, restore, archive];
