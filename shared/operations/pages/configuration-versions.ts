import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { ApiRefusal, pathOf, withQuery } from "../../console/api.ts";
import type { Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { csrfField } from "../../console/parts/form.ts";
import { table } from "../../console/parts/table.ts";
import { time } from "../../console/parts/time.ts";
import { figure } from "../../console/texts/figure.ts";

type Version = Answer<"GET /config/versions">["versions"][number];

type RollBack = Answer<"POST /config/versions/{version}/rollback">;

const to = "/console/sources/versions";

/** The imports, latest first. The latest import can be rolled back. */
const versions: Page = {
  method: "GET",
  path: to,
  audience: "viewer",
  section: "sources",
  answer: async (request) => {
    const { api, texts, url } = request;
    const after = url.searchParams.get("after") ?? undefined;
    const page = await api.get("/config/versions", { after });
    const [latest] = after === undefined ? page.versions : [];
    const number = (count: (version: Version) => number, head: string) => ({
      head,
      isNumber: true,
      cell: (version: Version) => figure(count(version)),
    });
    const body = html`
<p><a href="/console/sources/import">${texts.conf.title}</a></p>
<div class="heading"><h1>${texts.conf.versions}</h1>${
      latest !== undefined && mayActAs(request.caller.role, "operator")
        ? action({
            request,
            to,
            label: texts.conf.takeBack(latest.version),
            fields: { version: String(latest.version) },
          })
        : ""
    }</div>
${table({
  request,
  caption: texts.conf.versions,
  columns: [
    {
      head: texts.conf.version,
      cell: ({ version, importId }: Version) =>
        importId === undefined
          ? String(version)
          : html`<a href="${pathOf`/console/sources/imports/${importId}`}">${version}</a>`,
    },
    { head: texts.conf.importedAt, cell: ({ importedAt }) => time(importedAt, request) },
    number(({ added }) => added, texts.conf.countAdded),
    number(({ changed }) => changed, texts.conf.countChanged),
    number(({ removed }) => removed, texts.conf.countRemoved),
  ],
  rows: page.versions,
  empty: texts.conf.noVersion,
  pages: { first: after && to, next: page.next && withQuery(to, { after: page.next }) },
})}`;
    return { title: texts.conf.versions, body };
  },
};

/** Shows the changes of a rollback, and rolls back the import after a confirmation. */
const rollBack: Page = {
  method: "POST",
  path: to,
  audience: "operator",
  section: "sources",
  answer: async (request) => {
    const { api, form, texts } = request;
    const isConfirmed = form.confirmed === "yes";
    const done = await api.send("POST /config/versions/{version}/rollback", {
      version: form.version ?? "",
      dryRun: String(!isConfirmed),
    });
    if (!done.ok) throw new ApiRefusal(done.problem);
    if (!isConfirmed) return confirmPage(done.body, request);
    const { changeCount, keptCount } = done.body;
    return { redirect: to, notice: { text: texts.conf.takenBack(changeCount, keptCount) } };
  },
};

function confirmPage({ changes, kept, changeCount }: RollBack, request: PageRequest): PageAnswer {
  const { texts, form } = request;
  const title = texts.conf.takeBack(Number(form.version));
  const marks = { added: "+", changed: "±", removed: "−" };
  const body = html`<div class="heading"><h1>${title}</h1></div>
<p>${texts.conf.takeBackText(changeCount)}</p>
<ul>${changes.map(({ type, kind, id, title: name }) => html`<li>${marks[type]} ${name ?? id} <span class="quiet">${kind} ${id}</span></li>`)}</ul>
${kept.length === 0 ? "" : html`<h2>${texts.conf.kept}</h2><ul>${kept.map(({ kind, id, reason }) => html`<li>${kind} ${id}: ${reason}</li>`)}</ul>`}
<form method="post" action="${to}">${csrfField(request)}<input type="hidden" name="version" value="${form.version ?? ""}"><input type="hidden" name="confirmed" value="yes">
<p class="actions"><button class="main">${title}</button><a href="${to}">${texts.refused.cancel}</a></p></form>`;
  return { title, body };
}

export const configurationVersionPages: readonly Page[] = [versions, rollBack];
