import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { ApiRefusal, pathOf } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { sparkLine } from "../../console/parts/chart.ts";
import type { Column } from "../../console/parts/column.ts";
import { table } from "../../console/parts/table.ts";
import { percent, spokenTime, time } from "../../console/parts/time.ts";

type Quality = Answer<"GET /sources/{id}/quality">;
type Field = Quality["fields"][number];
type Figures = Field["now"];
type Run = Quality["runs"][number];
type Drift = Quality["drifts"][number];

/** The maximum number of runs of the table behind the lines: the last ones. */
const shownRuns = 60;

/** The quality of the records of a source: each field now and in the past, and what has changed. */
const quality: Page = {
  method: "GET",
  path: "/console/sources/{id}/quality",
  audience: "viewer",
  section: "sources",
  answer: async (request) => {
    const { api, params, texts } = request;
    const id = params.id ?? "";
    const [found, source] = await Promise.all([
      api.get("/sources/{id}/quality", { id }),
      api.get("/sources/{id}", { id }),
    ]);
    const title = texts.quality.title(source.title ?? id);
    const body = html`<div class="heading"><h1>${title}</h1><div class="actions"><a class="button" href="${pathOf`/console/sources/${id}`}">${texts.quality.source}</a></div></div>
<p>${texts.quality.explanation}</p>
${found.drifts.filter(isCurrent).map((drift) => driftView(drift, request))}
${fieldTable(found, request)}
${found.runs.length > 0 ? html`<details><summary>${texts.quality.runs}</summary>${runTable(found, request)}</details>` : ""}
${pastDrifts(found.drifts, request)}`;
    return { title, body };
  },
};

function isCurrent({ recovered }: Drift): boolean {
  return recovered === undefined;
}

export function fieldName(field: Field["field"], { texts }: Pick<PageRequest, "texts">): string {
  return field === "url" ? "URL" : texts.provenance.fields[field];
}

/** Renders a drift that has not recovered, with the decision that an operator can make or revoke. */
function driftView(drift: Drift, request: PageRequest): Html {
  const { texts, params } = request;
  const { driftId, since, now, before, accepted } = drift;
  const field = `${fieldName(drift.field, request)} (${drift.place})`;
  const at = (instant: string) => spokenTime(new Date(instant), request);
  const decide = (decision: "accept" | "reopen", label: string) =>
    mayActAs(request.caller.role, "operator")
      ? action({
          request,
          to: pathOf`/console/sources/${params.id ?? ""}/quality`,
          label,
          fields: { drift: driftId, decision },
        })
      : "";
  return accepted === undefined
    ? html`<p class="warning">${texts.quality.drifted(field, { now, before }, at(since))}</p>${decide("accept", texts.quality.accept)}`
    : html`<p>${texts.quality.accepted(field, accepted.by, at(accepted.at))}</p>${decide("reopen", texts.quality.reopen)}`;
}

function fieldTable({ fields, runs }: Quality, request: PageRequest): Html {
  const { texts } = request;
  const columns: Column<Field>[] = [
    { head: texts.provenance.field, cell: ({ field, place }) => `${fieldName(field, request)} (${place})` },
    { head: texts.quality.now, cell: ({ now }) => shareShown(now, request), isNumber: true },
    { head: texts.quality.days(30), cell: ({ days30 }) => shareShown(days30, request), isNumber: true },
    { head: texts.quality.days(90), cell: ({ days90 }) => shareShown(days90, request), isNumber: true },
    { head: texts.quality.line, cell: (field) => lineOf(field, runs, request) },
    { head: texts.quality.medianLength, cell: ({ days30 }) => days30.medianLength ?? "", isNumber: true },
    {
      head: texts.quality.repeated,
      cell: ({ days30 }) => percentOf(days30.repeated, days30.of, request),
      isNumber: true,
    },
    {
      head: texts.quality.outside,
      cell: ({ days30: { outside, of } }) => (outside === undefined ? "" : percentOf(outside, of, request)),
      isNumber: true,
    },
  ];
  return table({ request, caption: texts.quality.caption, columns, rows: fields, empty: "" });
}

function percentOf(count: number, of: number, request: PageRequest): string {
  return of === 0 ? "" : percent(count / of, request);
}

function shareShown({ has, of }: Figures, request: PageRequest): string {
  return of === 0 ? "–" : `${percent(has / of, request)} (${request.texts.quality.share(has, of)})`;
}

function lineOf({ field, days90 }: Field, runs: readonly Run[], request: PageRequest): Html | string {
  if (runs.length === 0) return "";
  const { texts } = request;
  const shares = runs.map(({ has, records }) => (has[field] ?? 0) / Math.max(1, records));
  const [low, high] = [Math.min(...shares), Math.max(...shares)];
  return sparkLine(shares, {
    id: `line-${field}`,
    title: `${fieldName(field, request)}: ${shareShown(days90, request)}`,
    description: texts.quality.description(runs.length, percent(low, request), percent(high, request)),
  });
}

/** Renders the figures behind the lines, newest first. */
function runTable({ fields, runs }: Quality, request: PageRequest): Html {
  const { texts } = request;
  const columns: Column<Run>[] = [
    { head: texts.run.title, cell: ({ startedAt }) => time(startedAt, request) },
    { head: texts.quality.records, cell: ({ records }) => records, isNumber: true },
    ...fields.map(
      ({ field }): Column<Run> => ({
        head: fieldName(field, request),
        cell: ({ has }) => has[field] ?? 0,
        isNumber: true,
      }),
    ),
  ];
  return table({
    request,
    caption: texts.quality.runs,
    columns,
    rows: runs.slice(-shownRuns).toReversed(),
    link: ({ runId }) => pathOf`/console/runs/${runId}`,
    empty: "",
  });
}

function pastDrifts(drifts: readonly Drift[], request: PageRequest): Html | string {
  const { texts } = request;
  const past = drifts.filter((drift) => !isCurrent(drift)).toReversed();
  if (past.length === 0) return "";
  const columns: Column<Drift>[] = [
    { head: texts.provenance.field, cell: ({ field, place }) => `${fieldName(field, request)} (${place})` },
    { head: texts.quality.since, cell: ({ since }) => time(since, request) },
    { head: texts.quality.recovered, cell: ({ recovered }) => recovered && time(recovered.at, request) },
    { head: texts.quality.before, cell: ({ before }) => texts.quality.share(before.has, before.of) },
    { head: texts.quality.during, cell: ({ now }) => texts.quality.share(now.has, now.of) },
  ];
  return html`<h2>${texts.quality.past}</h2>${table({ request, caption: texts.quality.past, columns, rows: past, empty: "" })}`;
}

/** Accepts the lower share of a drift as normal, or revokes this. The notice offers the opposite decision. */
const decide: Page = {
  method: "POST",
  path: "/console/sources/{id}/quality",
  audience: "operator",
  section: "sources",
  answer: async ({ api, params, form, texts }) => {
    const id = params.id ?? "";
    const driftId = form.drift ?? "";
    const decision = form.decision === "reopen" ? "reopen" : "accept";
    const done = await api.send("POST /sources/{id}/quality/drifts", { id }, { driftId, decision });
    if (!done.ok) throw new ApiRefusal(done.problem);
    const to = pathOf`/console/sources/${id}/quality`;
    const undo = { to, fields: { drift: driftId, decision: decision === "accept" ? "reopen" : "accept" } };
    return { redirect: to, notice: { text: texts.quality.decided[decision], undo } };
  },
};

export const qualityPages: readonly Page[] = [quality, decide];
