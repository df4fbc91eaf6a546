import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { ApiRefusal, pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import type { Column } from "../../console/parts/column.ts";
import { form } from "../../console/parts/form.ts";
import { state } from "../../console/parts/state.ts";
import { table } from "../../console/parts/table.ts";
import { exactTime } from "../../console/parts/time.ts";

type ReadUpload = Extract<Answer<"GET /documents/uploads/{id}">, { outcomes: unknown }>;
type Outcome = ReadUpload["outcomes"][number];

const outcomeNames = ["new", "opened", "unchanged", "refused"] as const;

/** Outcomes of each kind that a page shows at first. */
const firstOutcomes = 20;
const pageOutcomes = 200;

const contents = ["marcxml", "iso2709", "zip"] as const;

const newPath = "/console/sources/{id}/upload";
const ownPath = (id: string) => pathOf`/console/uploads/${id}`;

/** Asks what the file is. */
const ask: Page = {
  method: "GET",
  path: newPath,
  audience: "operator",
  section: "sources",
  answer: async (request) => askPage(request),
};

/** Leads the file to its place in the store: it may have gigabytes, so that no page takes it. */
const start: Page = {
  method: "POST",
  path: newPath,
  audience: "operator",
  section: "sources",
  answer: async (request) => {
    const { api, form: sent, params, texts } = request;
    const content = contents.find((each) => each === sent.content) ?? "marcxml";
    const started = await api.send(
      "POST /documents",
      { dryRun: "true" },
      { sourceId: params.id ?? "", content },
    );
    if (!started.ok) return askPage(request, started.problem);
    const { uploadId, files, expiresAt } = started.body;
    const words = texts.upload;
    const commands = files.map(({ url }) => `curl -T ${words.fileName} '${url}'\n`).join("");
    return {
      title: words.title,
      body: html`<div class="heading"><h1>${words.title}</h1></div>
<p>${words.sendText(exactTime(new Date(expiresAt), request))}</p>
<pre class="scroll" tabindex="0">${commands}</pre>
${deed("complete", uploadId, request)}`,
    };
  },
};

async function askPage(
  request: PageRequest,
  problem?: Parameters<typeof form>[0]["problem"],
): Promise<PageAnswer> {
  const { params, texts } = request;
  const words = texts.upload;
  const body = html`<div class="heading"><h1>${words.title}</h1></div>
<p>${words.text}</p>
${form({
  request,
  to: pathOf`/console/sources/${params.id ?? ""}/upload`,
  button: words.start,
  problem,
  fields: [{ name: "content", label: words.content, options: words.contents }],
})}`;
  return { title: words.title, body, ...(problem && { status: 400 as const }) };
}

/** What an upload has found: how many of each outcome, those refused with their reasons, and the first of the others. */
const report: Page = {
  method: "GET",
  path: "/console/uploads/{id}",
  audience: "operator",
  section: "sources",
  answer: async (request) => {
    const { api, params, texts, url } = request;
    const id = params.id ?? "";
    const upload = await api.get("/documents/uploads/{id}", { id, limit: 1 });
    const words = texts.upload;
    const isRunning = upload.status === "waiting" || upload.status === "received";
    const only = outcomeNames.find((name) => name === url.searchParams.get("outcome"));
    const title = upload.dryRun ? words.preview : words.title;
    const body = html`<div class="heading"><h1>${title} ${state(upload.status === "received" ? "running" : upload.status, texts)}</h1>
<div class="actions">${upload.status === "done" && upload.dryRun ? deed("confirm", id, request) : ""}${isRunning ? deed("cancel", id, request) : ""}</div></div>
<p><a href="${pathOf`/console/sources/${upload.sourceId}`}">${upload.sourceId}</a></p>
${upload.problem ? html`<p class="error">${upload.problem}</p>` : ""}
${upload.dryRun && upload.status === "done" ? html`<p>${words.previewText}</p>` : ""}
${figures(upload.counts, request)}
${isRunning ? "" : await outcomeTables(id, only, request)}`;
    return { title, body, live: isRunning };
  },
};

function figures(counts: ReadUpload["counts"], { texts }: PageRequest): Html {
  if (counts === undefined) return html``;
  const { byOutcome, documents, files } = counts;
  const words = texts.upload;
  const pairs: [string, number][] = [
    [words.records, documents],
    ...outcomeNames.map((name): [string, number] => [words.outcomes[name], byOutcome?.[name] ?? 0]),
    ...(files > 0 ? [[words.files, files] as [string, number]] : []),
  ];
  return html`<dl class="pairs">${pairs.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}

async function outcomeTables(
  id: string,
  only: (typeof outcomeNames)[number] | undefined,
  request: PageRequest,
): Promise<Html> {
  const { api, texts, url } = request;
  const words = texts.upload;
  const after = url.searchParams.get("after") ?? undefined;
  const names = only === undefined ? outcomeNames.toReversed() : [only];
  const limit = only === undefined ? firstOutcomes : pageOutcomes;
  const tables: Html[] = [];
  for (const outcome of names) {
    const answer = await api.get("/documents/uploads/{id}", { id, limit, outcome, ...(after && { after }) });
    const { outcomes, next } = "outcomes" in answer ? answer : { outcomes: [], next: undefined };
    if (outcomes.length === 0 && next === undefined) continue;
    const more = withQuery(ownPath(id), { outcome, ...(only && next && { after: next }) });
    tables.push(
      html`<h2>${words.outcomes[outcome]}</h2>${table({
        request,
        caption: words.outcomes[outcome],
        columns: columns(request),
        rows: outcomes,
        empty: words.none,
      })}${next === undefined ? "" : html`<p><a href="${more}">${words.more}</a></p>`}`,
    );
  }
  return html`${tables}`;
}

function columns({ texts }: PageRequest): Column<Outcome>[] {
  return [
    { head: texts.upload.name, cell: ({ name }) => name },
    { head: texts.upload.reason, cell: ({ reason = "", recordReason = "" }) => reason || recordReason },
  ];
}

const deeds = {
  complete: "POST /documents/uploads/{id}/complete",
  confirm: "POST /documents/uploads/{id}/confirm",
  cancel: "POST /documents/uploads/{id}/cancel",
} as const;

function deed(name: keyof typeof deeds, id: string, request: PageRequest): Html {
  const words = request.texts.upload;
  return action({
    request,
    to: pathOf`/console/uploads/${id}`,
    label: words[name],
    fields: { deed: name },
    ...(name === "cancel" ? { confirm: words.cancelText } : { isMain: true }),
  });
}

/** Completes an upload, has it read in earnest, or cancels it. */
const act: Page = {
  method: "POST",
  path: "/console/uploads/{id}",
  audience: "operator",
  section: "sources",
  answer: async ({ api, params, form: sent }) => {
    const id = params.id ?? "";
    const name = (Object.keys(deeds) as (keyof typeof deeds)[]).find((each) => each === sent.deed);
    if (name === undefined) return { redirect: ownPath(id) };
    const done = await api.send(deeds[name], { id });
    if (!done.ok) throw new ApiRefusal(done.problem);
    return { redirect: ownPath(id) };
  },
};

export const uploadPages: readonly Page[] = [ask, start, report, act];
