import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { type ApiProblem, ApiRefusal, ifUnchanged, pathOf } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { shareChart } from "../../console/parts/chart.ts";
import { form } from "../../console/parts/form.ts";
import { refusedFormStatus, takesStoredVersion } from "../../console/parts/refused-form.ts";
import { state } from "../../console/parts/state.ts";
import { fieldPairs, fieldsOf, typedThing } from "../../console/parts/table-form.ts";
import { time } from "../../console/parts/time.ts";
import type { Texts } from "../../console/texts/en.ts";
import { collectionUpdate } from "../routes/collection-update.ts";
import { type Collection, stateOf, titleOf } from "./collections.ts";
import { sentenceOfShare } from "./share-sentence.ts";

type Estimate = Answer<"GET /collections/{id}/estimate">;

type Valid = Extract<Collection, { rule: unknown }>;
type Day = Answer<"GET /collections/{id}/statistics">["days"][number];

type TestedPart = Extract<
  Answer<"GET /rules/tests/{id}">,
  { status: "done" }
>["parts"][(typeof ruleParts)[number]];

/** The parts of a rule that decide about a page. */
const ruleParts = ["statusCodes", "finalUrl", "xpath"] as const;

/** The number of days before today that the history covers, and the number of weeks in the chart. */
const historyDays = 29;
const chartWeeks = 13;

/** A page about one collection: its state with the reason, the share of its links that are alive, and its rule. */
const collection: Page = {
  method: "GET",
  path: "/console/collections/{id}",
  audience: "viewer",
  section: "collections",
  answer: (request) => show(request),
};

async function show(request: PageRequest, problem?: ApiProblem): Promise<PageAnswer> {
  const { api, texts, params, caller } = request;
  const words = texts.collections;
  const id = params.id ?? "";
  const from = new Date(request.now.getTime() - historyDays * 86_400_000).toISOString().slice(0, 10);
  const [stored, estimate, { days }] = await Promise.all([
    api.send("GET /collections/{id}", { id }),
    api.get("/collections/{id}/estimate", { id, weeks: chartWeeks }),
    api.get("/collections/{id}/statistics", { id, from }),
  ]);
  if (!stored.ok) throw new ApiRefusal(stored.problem);
  const { body: found, headers } = stored;
  const title = titleOf(found);
  const version = takesStoredVersion(problem) ? headers.etag : request.form.version;
  const body = html`<div class="heading"><h1>${title}</h1>${state(stateOf(found), texts)}</div>
${"problem" in found ? html`<p class="warning">${found.problem}</p>` : ""}
${found.held ? html`<p>${words.heldBy(found.held.by, found.held.reason)} <span class="quiet">${words.since} ${time(found.held.since, request)}</span></p>` : ""}
${found.linkStatus ? statusPart(found.linkStatus, request) : html`<p>${words.notChecked}</p>`}
${mayActAs(caller.role, "operator") ? actionsOf(found, request) : ""}
<h2>${words.alive}</h2>
${estimatePart(estimate, request)}
<h2>${words.history}</h2>
${historyPart(days, request)}
<h2>${words.rule}</h2>
<p>${words.ruleHint}</p>
${mayActAs(caller.role, "operator") ? ruleForm(found, request, { problem, version }) : fieldPairs(collectionUpdate.fields, found, request)}`;
  return { title, body, ...refusedFormStatus(problem) };
}

function statusPart(status: NonNullable<Collection["linkStatus"]>, request: PageRequest): Html {
  const words = request.texts.collections;
  return html`<p>${words.becauseOf(request.texts.reason(status.reason))} <span class="quiet">${words.since} ${time(status.since, request)}</span></p>
${status.failures > 0 ? html`<p>${words.failuresInARow(status.failures)}${status.nextAttemptAt ? html` ${words.nextAttempt} ${time(status.nextAttemptAt, request)}` : ""}</p>` : ""}`;
}

/** The actions that fit the state. Each of them can be undone by its counterpart. */
function actionsOf({ collectionId, hold, linkStatus }: Collection, request: PageRequest): Html {
  const words = request.texts.collections;
  const to = pathOf`/console/collections/${collectionId}`;
  return html`<div class="actions">
${hold ? action({ request, to: `${to}/release`, label: words.release, needsReason: true, isMain: true }) : action({ request, to: `${to}/hold`, label: words.hold, confirm: words.holdConfirm, needsReason: true })}
${linkStatus !== undefined && linkStatus.status !== "active" ? action({ request, to: `${to}/restore`, label: words.restore, confirm: words.restoreConfirm, needsReason: true }) : ""}
</div>`;
}

function historyPart(days: readonly Day[], request: PageRequest): Html {
  const changes = days.flatMap(({ collection }) => collection).sort((a, b) => (a.at < b.at ? 1 : -1));
  const words = request.texts.linkReport;
  if (changes.length === 0) return html`<p class="empty">${request.texts.collections.noHistory}</p>`;
  return html`<ul>${changes.map(
    ({ to, at, reason }) =>
      html`<li>${time(at, request)}: ${words.changes[to]}, ${request.texts.reason(reason)}</li>`,
  )}</ul>`;
}

function estimatePart({ now, before, trend, series = [before, now] }: Estimate, request: PageRequest): Html {
  const words = request.texts.collections;
  if (now.share === undefined) return html`<p class="empty">${words.noEstimate}</p>`;
  const points = series
    .filter(({ share }) => share !== undefined)
    .map(({ from, to, share = 0, low, high }) => ({
      label: `${from}–${to}`,
      value: 1 - share,
      low: 1 - high,
      high: 1 - low,
    }));
  const text = sentenceOfShare(now, request);
  return html`<p>${text} ${words.trends[trend]}</p>${points.length > 1 ? shareChart(points, { summary: text }) : ""}`;
}

function ruleForm(
  found: Collection,
  request: PageRequest,
  { problem, version = "" }: { problem: ApiProblem | undefined; version: string | undefined },
): Html {
  const words = request.texts.collections;
  const to = pathOf`/console/collections/${found.collectionId}`;
  return form({
    request,
    to: `${to}/rule`,
    button: words.save,
    problem,
    hidden: { version },
    stored: to,
    fields: [
      ...fieldsOf(collectionUpdate.fields, { title: found.collectionId, ...found }, request),
      { name: "url", label: words.testUrl, kind: "url", hint: words.testHint },
    ],
    beforeButton: html`<p><button formaction="${to}/test">${words.test}</button></p>`,
  });
}

const saveRule: Page = {
  method: "POST",
  path: "/console/collections/{id}/rule",
  audience: "operator",
  section: "collections",
  answer: async (request) => {
    const { api, params, form: sent, texts } = request;
    const id = params.id ?? "";
    const stored = await api.get("/collections/{id}", { id });
    const body = typedThing(collectionUpdate.fields, stored, sent);
    const done = await api.send("PUT /collections/{id}", { id }, body, ifUnchanged(sent.version));
    if (!done.ok) return show(request, done.problem);
    const { warnings = [] }: Partial<Valid> = "rule" in done.body ? done.body : {};
    return {
      redirect: pathOf`/console/collections/${id}`,
      notice: { text: [texts.collections.saved, ...warnings].join(" ") },
    };
  },
};

const testRule: Page = {
  method: "POST",
  path: "/console/collections/{id}/test",
  audience: "operator",
  section: "collections",
  answer: async (request) => {
    const { api, params, form: sent } = request;
    const stored = await api.get("/collections/{id}", { id: params.id ?? "" });
    const { rule } = typedThing(collectionUpdate.fields, stored, sent);
    const done = await api.send("POST /rules/test", {}, { url: sent.url, rule });
    if (!done.ok) return show(request, done.problem);
    return { redirect: pathOf`/console/collections/${params.id ?? ""}/tests/${done.body.testId}` };
  },
};

/**
 * The result of a rule that was tried on a live page. The page of the console updates itself when the live page has
 * answered.
 */
const testResult: Page = {
  method: "GET",
  path: "/console/collections/{id}/tests/{testId}",
  audience: "viewer",
  section: "collections",
  answer: async ({ api, params, texts, language }) => {
    const words = texts.collections;
    const { fields: rows } = collectionUpdate.fields.rule;
    const test = await api.get("/rules/tests/{id}", { id: params.testId ?? "" });
    const back = html`<p><a href="${pathOf`/console/collections/${params.id ?? ""}`}">${words.back}</a></p>`;
    if (test.status === "waiting") {
      return {
        title: words.test,
        body: html`<h1>${words.test}</h1><p>${words.testWaits(test.url)}</p>${back}`,
        live: true,
      };
    }
    const body = html`<div class="heading"><h1>${words.test}</h1>${state(test.verdict, texts)}</div>
<p>${test.url}: ${texts.reason(test.reason)}</p>
<ol>${test.hops.map(({ url, status }) => html`<li>${status} ${url}</li>`)}</ol>
<dl class="pairs">${ruleParts.map((name) => html`<div><dt>${rows[name].label[language]}</dt><dd>${foundBy(test.parts[name], texts)}</dd></div>`)}</dl>${back}`;
    return { title: words.test, body };
  },
};

/** Describes what a part of the rule has found on the page. */
function foundBy(part: TestedPart, { collections: words }: Texts): string {
  const { problem = undefined, matchedText = "" } = "matchedText" in part || "problem" in part ? part : {};
  return problem ?? (part.isHit ? words.hits(matchedText) : words.noHit);
}

/** An action on a collection, with the action that undoes it. */
function change(name: "hold" | "release" | "restore", undo?: "hold" | "release"): Page {
  return {
    method: "POST",
    path: `/console/collections/{id}/${name}`,
    audience: "operator",
    section: "collections",
    answer: async ({ api, params, form: sent, texts }) => {
      const id = params.id ?? "";
      const to = pathOf`/console/collections/${id}`;
      const done = await api.send(`POST /collections/{id}/${name}`, { id }, { reason: sent.reason });
      const text = done.ok ? texts.collections.done[name] : done.problem.detail;
      const canUndo = done.ok && undo !== undefined;
      return {
        redirect: to,
        notice: {
          text,
          ...(canUndo && { undo: { to: `${to}/${undo}`, fields: { reason: texts.collections.undone } } }),
        },
      };
    },
  };
}

export const collectionPages: readonly Page[] = [
  collection,
  saveRule,
  testRule,
  testResult,
  change("hold", "release"),
  change("release", "hold"),
  change("restore"),
];
