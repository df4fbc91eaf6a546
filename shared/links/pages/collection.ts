import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import { type ApiProblem, ApiRefusal, ifUnchanged, pathOf } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { shareChart } from "../../console/parts/chart.ts";
import { form, typedNumber } from "../../console/parts/form.ts";
import { refusedFormStatus, takesStoredVersion } from "../../console/parts/refused-form.ts";
import { state } from "../../console/parts/state.ts";
import { time } from "../../console/parts/time.ts";
import { type Collection, stateOf } from "./collections.ts";
import { type LinkShare, sentenceOfShare } from "./share-sentence.ts";

interface Estimate {
  now: LinkShare;
  before: LinkShare;
  /** One per week, oldest first. */
  series?: LinkShare[];
  trend: "rising" | "falling" | "unclear";
}

/** The changes of a collection on a day. */
interface Day {
  collection: { to: "activated" | "suppressed" | "deleted"; at: string; reason: string }[];
}

/** The days of the history, and the weeks of the chart. */
const historyDays = 29;
const chartWeeks = 13;

/** One collection: its state and why, the share of its links that are alive, and its rule. */
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
  const path = pathOf`/collections/${params.id ?? ""}`;
  const from = new Date(request.now.getTime() - historyDays * 86_400_000).toISOString().slice(0, 10);
  const [stored, estimate, { days }] = await Promise.all([
    api.send<Collection>("GET", path),
    api.get<Estimate>(`${path}/estimate`, { weeks: chartWeeks }),
    api.get<{ days: Day[] }>(`${path}/statistics`, { from }),
  ]);
  if (!stored.ok) throw new ApiRefusal(stored.problem);
  const { body: found, headers } = stored;
  const title = found.title ?? found.collectionId;
  const version = takesStoredVersion(problem) ? headers.etag : request.form.version;
  const body = html`<div class="heading"><h1>${title}</h1>${state(stateOf(found), texts)}</div>
${found.problem ? html`<p class="warning">${found.problem}</p>` : ""}
${found.held ? html`<p>${words.heldBy(found.held.by, found.held.reason)} <span class="quiet">${words.since} ${time(found.held.since, request)}</span></p>` : ""}
${found.linkStatus ? statusPart(found.linkStatus, request) : html`<p>${words.notChecked}</p>`}
${mayActAs(caller.role, "operator") ? actionsOf(found, request) : ""}
<h2>${words.alive}</h2>
${estimatePart(estimate, request)}
<h2>${words.history}</h2>
${historyPart(days, request)}
<h2>${words.rule}</h2>
<p>${words.ruleHint}</p>
${mayActAs(caller.role, "operator") ? ruleForm(found, request, { problem, version }) : rulePart(found, request)}`;
  return { title, body, ...refusedFormStatus(problem) };
}

function statusPart(status: NonNullable<Collection["linkStatus"]>, request: PageRequest): Html {
  const words = request.texts.collections;
  return html`<p>${words.becauseOf(request.texts.reason(status.reason))} <span class="quiet">${words.since} ${time(status.since, request)}</span></p>
${status.failures > 0 ? html`<p>${words.failuresInARow(status.failures)}${status.nextAttemptAt ? html` ${words.nextAttempt} ${time(status.nextAttemptAt, request)}` : ""}</p>` : ""}`;
}

/** What fits the state: all of it can be undone by its counterpart. */
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

function rulePart({ rule = { active: true } }: Collection, request: PageRequest): Html {
  const words = request.texts.collections;
  return html`<dl class="pairs">${(["statusCodes", "finalUrl", "xpath"] as const).map(
    (name) => html`<div><dt>${words.parts[name]}</dt><dd>${rule[name] ?? words.noPart}</dd></div>`,
  )}</dl>`;
}

function ruleForm(
  { collectionId, rule = { active: true }, title }: Collection,
  request: PageRequest,
  { problem, version = "" }: { problem: ApiProblem | undefined; version: string | undefined },
): Html {
  const words = request.texts.collections;
  const to = pathOf`/console/collections/${collectionId}`;
  return form({
    request,
    to: `${to}/rule`,
    button: words.save,
    problem,
    problemField: (field) => field.replace(/^rule\./, ""),
    hidden: { version },
    stored: to,
    fields: [
      { name: "title", label: words.name, value: title ?? collectionId, isRequired: true },
      {
        name: "statusCodes",
        label: words.parts.statusCodes,
        value: rule.statusCodes,
        hint: words.statusCodesHint,
      },
      { name: "finalUrl", label: words.parts.finalUrl, value: rule.finalUrl, hint: words.finalUrlHint },
      { name: "xpath", label: words.parts.xpath, value: rule.xpath, hint: words.xpathHint },
      {
        name: "throttleSeconds",
        label: words.throttle,
        kind: "number",
        value: rule.throttleSeconds === undefined ? "" : String(rule.throttleSeconds),
      },
      { name: "active", label: words.active, kind: "checkbox", value: rule.active ? "yes" : "" },
      { name: "url", label: words.testUrl, kind: "url", hint: words.testHint },
    ],
    beforeButton: html`<p><button formaction="${to}/test">${words.test}</button></p>`,
  });
}

/** What was typed as a link rule. */
function ruleOf(sent: PageRequest["form"]) {
  const text = (name: string) => (sent[name]?.trim() ? { [name]: sent[name].trim() } : {});
  return {
    ...text("statusCodes"),
    ...text("finalUrl"),
    ...text("xpath"),
    ...(sent.throttleSeconds?.trim() && { throttleSeconds: typedNumber(sent.throttleSeconds) }),
    active: sent.active === "yes",
  };
}

const saveRule: Page = {
  method: "POST",
  path: "/console/collections/{id}/rule",
  audience: "operator",
  section: "collections",
  answer: async (request) => {
    const { api, params, form: sent, texts } = request;
    const path = pathOf`/collections/${params.id ?? ""}`;
    const { recheckDelaysHours, inconclusiveLimit, recipients } = await api.get<Collection>(path);
    const body = { title: sent.title, rule: ruleOf(sent), recheckDelaysHours, inconclusiveLimit, recipients };
    const done = await api.send<Collection>("PUT", path, body, ifUnchanged(sent.version));
    if (!done.ok) return show(request, done.problem);
    const warnings = done.body.warnings ?? [];
    return {
      redirect: pathOf`/console/collections/${params.id ?? ""}`,
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
    const done = await api.send<{ testId: string }>("POST", "/rules/test", {
      url: sent.url,
      rule: ruleOf(sent),
    });
    if (!done.ok) return show(request, done.problem);
    return { redirect: pathOf`/console/collections/${params.id ?? ""}/tests/${done.body.testId}` };
  },
};

interface RuleTest {
  status: "waiting" | "done";
  url: string;
  verdict?: "alive" | "broken" | "inconclusive";
  reason?: string;
  hops?: { url: string; status: number }[];
  parts?: Record<
    "statusCodes" | "finalUrl" | "xpath",
    { isHit: boolean; matchedText?: string; problem?: string }
  >;
}

/** The result of a rule that was tried on a live page: it fills itself in when the page has answered. */
const testResult: Page = {
  method: "GET",
  path: "/console/collections/{id}/tests/{testId}",
  audience: "viewer",
  section: "collections",
  answer: async ({ api, params, texts }) => {
    const words = texts.collections;
    const test = await api.get<RuleTest>(pathOf`/rules/tests/${params.testId ?? ""}`);
    const back = html`<p><a href="${pathOf`/console/collections/${params.id ?? ""}`}">${words.back}</a></p>`;
    if (test.status === "waiting" || test.parts === undefined) {
      return {
        title: words.test,
        body: html`<h1>${words.test}</h1><p>${words.testWaits(test.url)}</p>${back}`,
        live: true,
      };
    }
    const body = html`<div class="heading"><h1>${words.test}</h1>${state(test.verdict ?? "", texts)}</div>
<p>${test.url}: ${texts.reason(test.reason ?? "")}</p>
<ol>${(test.hops ?? []).map(({ url, status }) => html`<li>${status} ${url}</li>`)}</ol>
<dl class="pairs">${Object.entries(test.parts).map(
      ([name, part]) =>
        html`<div><dt>${words.parts[name as keyof typeof words.parts]}</dt><dd>${part.problem ?? (part.isHit ? words.hits(part.matchedText ?? "") : words.noHit)}</dd></div>`,
    )}</dl>${back}`;
    return { title: words.test, body };
  },
};

/** An action of a collection, which its counterpart undoes. */
function change(name: "hold" | "release" | "restore", undo?: "hold" | "release"): Page {
  return {
    method: "POST",
    path: `/console/collections/{id}/${name}`,
    audience: "operator",
    section: "collections",
    answer: async ({ api, params, form: sent, texts }) => {
      const id = params.id ?? "";
      const to = pathOf`/console/collections/${id}`;
      const done = await api.send("POST", `${pathOf`/collections/${id}`}/${name}`, { reason: sent.reason });
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
