import { html } from "hono/html";
import { pathOf } from "../../console/api.ts";
import type { Page, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { wholeList } from "../../console/parts/table.ts";
import { figure } from "../../console/texts/figure.ts";

type Counts = Record<string, number>;

/** What was read of a job, as the API shows it. */
interface JobReport {
  jobId: number;
  lines: number;
  indexed: number;
  withoutOrigin: number;
  text: number;
  skippedLogLines: Counts;
  skippedCdxLines: Counts;
}

interface Report {
  jobs: JobReport[];
  missing: { jobId: number; reason: string }[];
}

/** What the index of a snapshot holds of each job, what was left out and why, and which jobs are missing. */
const report: Page = {
  method: "GET",
  path: "/console/snapshots/{id}/index",
  audience: "viewer",
  section: "snapshots",
  answer: async (request) => {
    const { api, params, texts } = request;
    const words = texts.indexReport;
    const path = pathOf`/snapshots/${params.id ?? ""}`;
    const [{ title }, { jobs, missing }] = await Promise.all([
      api.get<{ title: string }>(path),
      api.get<Report>(`${path}/index/report`),
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
<p><a href="${pathOf`/console/snapshots/${params.id ?? ""}`}">${texts.look.snapshot}</a></p>
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
  const { reasons } = request.texts.indexReport;
  return Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${figure(count)} ${reasons[name as keyof typeof reasons] ?? name}`)
    .join(", ");
}

export const indexReportPages: readonly Page[] = [report];
