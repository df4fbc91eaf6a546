import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { ApiRefusal, pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { toCsv } from "../../console/parts/csv.ts";
import { isRunning, runFigures } from "../../console/parts/run-figures.ts";
import { state } from "../../console/parts/state.ts";
import { changed, rowsPerPage, table, wantsCsv } from "../../console/parts/table.ts";
import { time } from "../../console/parts/time.ts";
import { sourceOutcomes } from "../../records/runs/source-outcomes.ts";

type SourceReport = RunReport["sources"][number];

type RunReport = Answer<"GET /runs/{id}">;

/** A run, with its stages, its figures, its files, and the results of each source. */
const run: Page = {
  method: "GET",
  path: "/console/runs/{id}",
  audience: "viewer",
  section: "today",
  answer: async (request) => {
    const { api, texts, params, url } = request;
    const id = params.id ?? "";
    const get = (name: string) => url.searchParams.get(name) ?? undefined;
    const asked = { id, q: get("q"), outcome: get("outcome") };
    const columns = columnsOf(request);
    if (wantsCsv(request)) {
      const all = await api.all("/runs/{id}", "sources", { ...asked, limit: 500 });
      return { csv: toCsv(columns, all), fileName: `${id}.csv` };
    }
    const after = get("after");
    const report = await api.get("/runs/{id}", { ...asked, after, limit: rowsPerPage });
    const shown = table({
      request,
      caption: texts.run.sources,
      columns,
      rows: report.sources,
      link: ({ sourceId }) => withQuery(pathOf`/console/sources/${sourceId}`, { run: report.runId }),
      empty: texts.run.noSource,
      filter: {
        label: texts.run.source,
        choices: [
          {
            name: "outcome",
            label: texts.run.with,
            options: {
              "": texts.run.anything,
              ...Object.fromEntries(sourceOutcomes.map((each) => [each, texts.run[each]])),
            },
          },
        ],
      },
      hasCsv: true,
      pages: {
        first: after && changed(url, { after: undefined }),
        next: report.next && changed(url, { after: report.next }),
      },
    });
    const body = html`${head(report, request)}<h2>${texts.run.sources}</h2>${shown}`;
    return { title: texts.run.title, body, live: isRunning(report) };
  },
};

function head(report: RunReport, request: PageRequest): Html {
  const { texts } = request;
  const { totals, files, waitingFiles } = report;
  const { delinquent, refusedBefore, knownToArchive, listed = totals.entries, ...outcomes } = totals;
  const known = Object.values(knownToArchive).reduce((sum, count) => sum + count, 0);
  const figures = report.figures ?? { ...outcomes, listed, known, refused: delinquent + refusedBefore };
  return html`<div class="heading"><h1>${texts.run.title} ${time(report.startedAt, request)}</h1>${state(isRunning(report) ? "running" : report.state, texts)}</div>
${report.failure ? html`<div class="problem"><h2>${texts.run.stopped(report.failure.stage)}</h2><p>${report.failure.reason}</p><p>${texts.run.goesOn}</p></div>` : ""}
${runFigures({ ...report, figures }, request)}
${
  files.length + waitingFiles.length === 0
    ? ""
    : html`<h2>${texts.run.files}</h2><ul>${[
        ...files.map(
          ({ fileName, groupId, records, deliveredAt, remarks = [] }) =>
            html`<li><a href="${withQuery("/console/deliveries", { q: fileName })}">${fileName}</a> ${texts.run.fileOf(groupId, records)} ${deliveredAt ? time(deliveredAt, request) : ""} ${remarks.map((remark) => html`<span class="warning">${remark}</span>`)}</li>`,
        ),
        ...waitingFiles.map(
          ({ fileName, groupId, records }) =>
            html`<li>${fileName} ${texts.run.fileOf(groupId, records)} ${state("waiting", texts)}</li>`,
        ),
      ]}</ul>`
}`;
}

function columnsOf({ texts }: PageRequest): Column<SourceReport>[] {
  const number = (head: string, of: (source: SourceReport) => number): Column<SourceReport> => ({
    head,
    cell: of,
    isNumber: true,
  });
  return [
    { head: texts.run.source, cell: ({ title }) => title },
    {
      head: texts.sources.state,
      cell: (source) =>
        html`${state(source.state === "read" ? "finished" : "failed", texts)} ${source.reason ?? ""}`,
      csv: (source) => [source.state, source.reason].filter(Boolean).join(": "),
    },
    number(texts.run.listed, ({ listed }) => listed),
    number(texts.run.delivered, ({ delivered }) => delivered),
    number(texts.run.refused, refusedOf),
    number(texts.run.onlineFirst, ({ onlineFirst }) => onlineFirst),
    number(texts.run.unusable, ({ unusable }) => unusable.count),
    number(texts.run.unreachable, ({ unreachable }) => unreachable.count),
    number(texts.run.undelivered, ({ undelivered }) => undelivered),
    number(texts.run.duplicates, ({ duplicates }) => duplicates.count),
    number(texts.run.known, ({ known }) => Object.values(known).reduce((sum, count) => sum + count, 0)),
    number(texts.run.unanswered, ({ unanswered }) => unanswered),
  ];
}

const refusedOf = ({ delinquent, refusedBefore }: SourceReport) => delinquent.count + refusedBefore.count;

/** Starts a run of a mode, or of single sources. */
const startRun: Page = {
  method: "POST",
  path: "/console/runs",
  audience: "operator",
  section: "today",
  answer: async ({ api, form, formValues, texts }) => {
    const sourceIds = formValues("source");
    const started = await api.send(
      "POST /runs",
      {},
      {
        mode: form.mode === "TEST" ? "TEST" : "LIVE",
        ...(sourceIds.length > 0 && { sourceIds }),
      },
    );
    if (!started.ok) throw new ApiRefusal(started.problem);
    const to =
      sourceIds[0] === undefined
        ? pathOf`/console/runs/${started.body.runId}`
        : pathOf`/console/sources/${sourceIds[0]}`;
    return { redirect: to, notice: { text: texts.run.started } };
  },
};

export const runPages: readonly Page[] = [run, startRun];
