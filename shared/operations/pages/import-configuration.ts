import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { type ApiProblem, ifUnchanged } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { csrfField, form } from "../../console/parts/form.ts";

type Summary = Extract<Answer<"POST /config/import">, { type: "imported" }>;

/** The form for the text of a configuration. */
const ask: Page = {
  method: "GET",
  path: "/console/sources/import",
  audience: "operator",
  section: "sources",
  answer: async (request) => askPage(request),
};

function askPage(request: PageRequest, problem?: ApiProblem): PageAnswer {
  const { texts } = request;
  const { problems = [] } = problem ?? {};
  const body = html`<div class="heading"><h1>${texts.conf.title}</h1></div><p>${texts.conf.explanation} <a href="/console/sources/versions">${texts.conf.versions}</a></p>
${problems.length > 0 ? html`<ul>${problems.map(({ line, message }) => html`<li class="error">${texts.conf.line(line)}: ${message}</li>`)}</ul>` : ""}
${form({
  request,
  to: "/console/sources/import",
  button: texts.conf.compare,
  // The same applies after a 412: the operator has to compare again.
  problem: problem && { ...problem, status: 400, field: "conf" },
  fields: [{ name: "conf", label: texts.conf.text, kind: "textarea", rows: 20, isRequired: true }],
})}`;
  return { title: texts.conf.title, body, ...(problem && { status: 400 as const }) };
}

/** Shows the changes of an import. With `apply`, makes the import. */
const compare: Page = {
  method: "POST",
  path: "/console/sources/import",
  audience: "operator",
  section: "sources",
  answer: async (request) => {
    const { api, form: sent, texts } = request;
    const conf = sent.conf ?? "";
    const isApplied = sent.apply === "yes";
    const done = await api.send(
      "POST /config/import",
      { dryRun: String(!isApplied), allowRemovals: "true" },
      { conf },
      ifUnchanged(sent.version),
    );
    if (!done.ok) return askPage(request, done.problem);
    if (done.status === 202) {
      return { redirect: `/console/sources/imports/${done.body.result.split("/").at(-1)}` };
    }
    if (isApplied) {
      const { changes, version } = done.body;
      const undo = {
        to: "/console/sources/versions",
        fields: { version: String(version), confirmed: "yes" },
      };
      return {
        redirect: "/console/sources",
        notice: { text: texts.conf.imported(changes.length), ...(version !== undefined && { undo }) },
      };
    }
    return {
      title: texts.conf.title,
      body: differences(done.body, { conf, version: done.headers.etag ?? "" }, request),
    };
  },
};

function differences(
  summary: Summary,
  { conf, version }: { conf: string; version: string },
  request: PageRequest,
): Html {
  const { texts } = request;
  const { changes, problems = [], warnings, unchanged } = summary;
  const of = (type: Summary["changes"][number]["type"]) => changes.filter((change) => change.type === type);
  const removed = of("removed").length;
  const count = changes.length + (summary.more?.changes ?? 0);
  const list = (type: "added" | "changed" | "removed", mark: string) =>
    of(type).length === 0
      ? ""
      : html`<h2>${texts.conf[type](of(type).length)}</h2><ul>${of(type).map(
          ({ kind, id, title, fields = [] }) =>
            html`<li>${type === "added" ? html`<ins>${mark} ${title ?? id}</ins>` : type === "removed" ? html`<del>${mark} ${title ?? id}</del>` : html`${mark} ${title ?? id}`} <span class="quiet">${kind} ${id}${fields.length > 0 ? `: ${fields.join(", ")}` : ""}</span></li>`,
        )}</ul>`;
  return html`<div class="heading"><h1>${texts.conf.title}</h1></div>
<p>${texts.conf.summary(count, unchanged)}</p>
${problems.length > 0 ? html`<div class="problem"><h2>${texts.conf.problems(problems.length)}</h2><ul>${problems.map(({ line, message }) => html`<li>${texts.conf.line(line)}: ${message}</li>`)}</ul></div>` : ""}
${list("removed", "−")}${list("changed", "±")}${list("added", "+")}
${warnings.length > 0 ? html`<h2>${texts.conf.warnings}</h2><ul>${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>` : ""}
${
  changes.length === 0
    ? ""
    : html`<form method="post" action="/console/sources/import" class="fields">${csrfField(request)}<input type="hidden" name="apply" value="yes"><input type="hidden" name="version" value="${version}"><input type="hidden" name="conf" value="${conf}">
${removed > 0 ? html`<p class="warning"><strong>${texts.conf.removes(removed)}</strong></p>` : ""}<button class="main">${texts.conf.apply(count)}</button></form>`
}
<p><a href="/console/sources/import">${texts.conf.again}</a></p>`;
}

export const importPages: readonly Page[] = [ask, compare];
