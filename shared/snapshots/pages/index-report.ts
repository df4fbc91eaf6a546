import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { pathOf } from "../../console/api.ts";
import type { Page, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { wholeList } from "../../console/parts/table.ts";
import { figure } from "../../console/texts/figure.ts";

type Counts = Record<string, number>;

type JobReport = Answer<"GET /snapshots/{id}/index/report">["jobs"][number];

/**
 * Shows the counts of a snapshot's index for each job: what was read, what was left out and why, and which
 * jobs are missing.
 */
const report: Page = {
  method: "GET",
  path: "/console/snapshots/{id}/index",
  audience: "viewer",
  section: "snapshots",
  answer: async (request) => {
    const { api, params, texts } = request;
    const words = texts.indexReport;
    const id = params.id ?? "";
    const [{ title }, { jobs, missing }] = await Promise.all([
      api.get("/snapshots/{id}", { id }),
      api.get("/snapshots/{id}/index/report", { id }),
    ]);
    return wholeList({
      request,
      title: words.title(title),
      fileName: "index.csv",
      caption: words.caption,
      columns: columnsOf(request),
      rows: jobs,
      empty: words.none,
      around: (shown) => html`<div class="heading"><h1>${words.title(title)}</h1></div>
<p><a href="${pathOf`/console/snapshots/${id}`}">${texts.look.snapshot}</a></p>
${shown}
${missing.length === 0 ? "" : html`<h2>${words.missing}</h2><ul>${missing.map(({ jobId, reason }) => html`<li class="warning">${words.missingJob(jobId, reason)}</li>`)}</ul>`}`,
    });
  },
};

function columnsOf(request: PageRequest): Column<JobReport>[] {
  const words = request.texts.indexReport;
  const counted = (head: string, of: (job: JobReport) => number): Column<JobReport> => ({
    head,
    isNumber: true,
    cell: (job) => figure(of(job)),
    csv: (job) => String(of(job)),
  });
  const reasons = (head: string, of: (job: JobReport) => Counts): Column<JobReport> => ({
    head,
    cell: (job) => reasonsOf(of(job), request),
  });
  return [
    { head: words.job, cell: ({ jobId }) => String(jobId) },
    counted(words.lines, ({ lines }) => lines),
    counted(words.indexed, ({ indexed }) => indexed),
    counted(words.withoutOrigin, ({ withoutOrigin }) => withoutOrigin),
    counted(words.text, ({ text }) => text),
    reasons(words.logLines, ({ skippedLogLines }) => skippedLogLines),
    reasons(words.cdxLines, ({ skippedCdxLines }) => skippedCdxLines),
  ];
}

function reasonsOf(counts: Counts, request: PageRequest): string {
  const reasons = new Map(Object.entries(request.texts.indexReport.reasons));
  return Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${figure(count)} ${reasons.get(name) ?? name}`)
    .join(", ");
}

export const indexReportPages: readonly Page[] = [report];
