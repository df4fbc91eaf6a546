import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { ApiRefusal, pathOf } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { barChart } from "../../console/parts/chart.ts";
import { isRunning, type Run, runFigures } from "../../console/parts/run-figures.ts";
import { state } from "../../console/parts/state.ts";
import { table } from "../../console/parts/table.ts";
import { localDay, longDay, time } from "../../console/parts/time.ts";
import { sentenceOfShare } from "../../links/pages/share-sentence.ts";
import { type Need, needSentences } from "./need-sentence.ts";

type UnfinishedRun = Answer<"GET /today">["unfinished"][number];

const chartDays = 30;

/** The items that need attention come first, followed by the outcome of the last run and the time of the next one. */
const today: Page = {
  method: "GET",
  path: "/console",
  audience: "viewer",
  section: "today",
  isEntry: true,
  answer: async (request) => {
    const { api, texts } = request;
    const [{ needs, nextRuns, network, links, unfinished }, { runs }] = await Promise.all([
      api.get("/today", {}),
      api.get("/runs", { limit: 60 }),
    ]);
    const next = nextRuns.find(({ mode }) => mode === "LIVE");
    const last = runs[0];
    const body = html`
<div class="heading"><h1>${texts.sections.today}, ${longDay(request.now, request)}</h1>
<div class="actions">${next ? html`<span class="quiet">${texts.today.nextRun} ${time(next.at, request)}</span>` : ""}${runNow(request)}</div></div>
${needList(needs, last, request)}
<h2>${texts.today.lastRun}</h2>
${last ? lastRun(last, request) : html`<p class="empty">${texts.today.noRun}</p>`}
${unfinished.map((each) => openSources(each, request))}
${runs.length > 0 ? deliveredPerDay(runs, request) : ""}
<h2>${texts.today.links}</h2>
<p><a href="/console/collections">${links ? sentenceOfShare(links, request) : texts.today.noLinks}</a></p>
<p>${texts.today.network} <a href="/console/hosts">${state(network?.state ?? "up", texts)}</a></p>`;
    return { title: texts.sections.today, body, live: last !== undefined && isRunning(last) };
  },
};

function runNow(request: PageRequest): Html {
  if (!mayActAs(request.caller.role, "operator")) return html``;
  const { texts } = request;
  return action({
    request,
    to: "/console/runs",
    label: texts.today.runNow,
    confirm: texts.today.runNowConfirm,
    fields: { mode: "LIVE" },
  });
}

function needList(needs: readonly Need[], last: Run | undefined, request: PageRequest): Html {
  const { texts } = request;
  if (needs.length === 0) {
    return html`<p class="good"><strong>${texts.today.nothing}</strong></p>${last ? "" : html`<p>${texts.today.start} <a href="/console/sources/add">${texts.sources.add}</a></p>`}`;
  }
  return html`<h2 class="bad">${texts.today.needs(needs.length)}</h2>
<ul class="tasks">${needSentences(needs, request).map(({ sentence, to }) => html`<li><span>${sentence}</span>${to ? html`<a href="${to}">${texts.today.look}<span class="hidden">: ${sentence}</span></a>` : ""}</li>`)}</ul>`;
}

function lastRun(run: Run, request: PageRequest): Html {
  const { texts } = request;
  return html`<p>${state(isRunning(run) ? "running" : run.state, texts)} <a href="${pathOf`/console/runs/${run.runId}`}">${time(run.startedAt, request)}</a></p>
${run.figures ? runFigures(run, request) : ""}`;
}

/** Renders the sources for which a run waits, each with a button that skips it. */
function openSources(run: UnfinishedRun, request: PageRequest): Html {
  const { texts } = request;
  const { runId, openCount, sources, softDeadlineAt, deadlineAt } = run;
  const shown = table({
    request,
    caption: texts.today.waitsFor(openCount),
    columns: [
      { head: texts.run.source, cell: ({ title }) => title },
      { head: texts.hosts.host, cell: ({ hostKey }) => hostKey ?? "" },
      {
        head: texts.today.why,
        cell: ({ waitsFor, until }) =>
          html`${texts.today.waits[waitsFor]}${until ? html`, ${texts.hosts.until} ${time(until, request)}` : ""}`,
      },
      { head: texts.failedMessages.actions, cell: ({ sourceId }) => skipAction(runId, sourceId, request) },
    ],
    rows: sources,
    empty: texts.today.waitsForNone,
  });
  return html`<h3><a href="${pathOf`/console/runs/${runId}`}">${texts.today.waitsFor(openCount)}</a></h3>
<p>${softDeadlineAt ? html`${texts.today.softDeadline} ${time(softDeadlineAt, request)}. ` : ""}${texts.today.deadline} ${time(deadlineAt, request)}.</p>${shown}`;
}

function skipAction(runId: string, sourceId: string, request: PageRequest): Html {
  if (!mayActAs(request.caller.role, "operator")) return html``;
  const { texts } = request;
  return action({
    request,
    to: "/console/skip",
    label: texts.today.skip,
    confirm: texts.today.skipConfirm,
    fields: { run: runId, source: sourceId },
    needsReason: true,
  });
}

/** Ends a source for which a run waits. */
const skip: Page = {
  method: "POST",
  path: "/console/skip",
  audience: "operator",
  section: "today",
  answer: async ({ api, form, texts }) => {
    const { run: id = "", source: sourceId = "", reason = "" } = form;
    const done = await api.send("POST /runs/{id}/sources/{sourceId}/skip", { id, sourceId }, { reason });
    if (!done.ok) throw new ApiRefusal(done.problem);
    const fields = { mode: id.startsWith("test-") ? "TEST" : "LIVE", source: sourceId };
    const harvest = { to: "/console/runs", fields, label: texts.source.harvest };
    return { redirect: "/console", notice: { text: texts.today.skipped, undo: harvest } };
  },
};

function deliveredPerDay(runs: readonly Run[], request: PageRequest): Html {
  const perDay = new Map<string, number>();
  for (const { startedAt, figures } of runs) {
    const day = localDay(new Date(startedAt), request.zone);
    perDay.set(day, (perDay.get(day) ?? 0) + (figures?.delivered ?? 0));
  }
  const bars = Array.from({ length: chartDays }, (_, index) => {
    const at = new Date(request.now.getTime() - (chartDays - 1 - index) * 86_400_000);
    const label = localDay(at, request.zone);
    return { label, value: perDay.get(label) ?? 0 };
  });
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  const { texts } = request;
  return html`<figure>${barChart(bars, { summary: texts.today.chart(total, chartDays) })}<figcaption class="quiet">${texts.today.chart(total, chartDays)}</figcaption></figure>`;
}

export const todayPages: readonly Page[] = [today, skip];
