import * as z from "zod";
import { problem, refuseUnknown } from "../../api/answer.ts";
import { afterText, next, pageLimit } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { InputError } from "../../core/errors.ts";
import { hasWords } from "../../core/has-words.ts";
import { deliveredModes, deliveredRunId } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { listedOf, sourceOutcomes } from "../../records/runs/source-outcomes.ts";
import type { DriftNews } from "../quality/watch-quality.ts";
import { type ReportedRuns, readReport } from "../report/report.ts";
import { limitProblems, maxProblemsPerList } from "../report/report-view.ts";
import { shortenText } from "../report/shorten-text.ts";
import { hasOutcome, outcomeCounts, type SourceReport } from "../report/source-report.ts";
import type { PlannedFile } from "../stage-results/delivery.ts";
import { driftView } from "./quality-answers.ts";
import { run, runReport, runView } from "./run-answers.ts";

export interface RunPorts {
  runs: ReportedRuns & Pick<RunStore, "listLatest">;
}

const runId = z
  .string()
  .regex(deliveredRunId, "must be the id of a run, such as live-20261120T190000Z")
  .describe("`live-` or `test-`, followed by the start time of the run");

const runQuery = z.strictObject({
  limit: pageLimit({ most: 500, otherwise: 100 }).describe("Sources per page"),
  after: z.string().optional().describe(afterText),
  source: z.string().optional().describe("Only the source with this id"),
  q: z.string().max(200).optional().describe("Only sources with all these words in title or id"),
  outcome: z
    .enum(sourceOutcomes)
    .optional()
    .describe("Only sources that failed, or that have articles with this outcome"),
});
type RunQuery = z.output<typeof runQuery>;

const route = routesOver<RunPorts>();

export const runSubject = {
  title: "Runs",
  introduction:
    "A run is one harvest and delivery from start to end, such as the daily one. Previews are not listed here.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/runs",
      summary: "Lists the runs of a mode, newest first",
      query: z.strictObject({
        mode: z.enum(deliveredModes).default("LIVE").describe("`TEST` lists the runs of test sources"),
        limit: pageLimit({ most: 500, otherwise: 50 }),
        after: runId.optional().describe(afterText),
      }),
      answers: { 200: { description: "A page", body: z.strictObject({ runs: z.array(run), next }) } },
      handler:
        ({ runs }) =>
        async (context, { query: { mode, limit, after: afterId } }) => {
          const after = afterId === undefined ? undefined : await runs.get(afterId);
          if (afterId !== undefined && after?.deliveryMode !== mode)
            throw new InputError("after", afterId, `is not a run of the mode ${mode}`);
          const found = await runs.listLatest(mode, { limit: limit + 1, after });
          const page = found.slice(0, limit);
          return context.json({
            runs: page.map(runView),
            ...(found.length > limit && { next: page.at(-1)?.runId }),
          });
        },
    }),
    route({
      method: "GET",
      path: "/runs/{id}",
      summary: "Returns the current report of a run",
      details:
        "The report has the same content as the mail: totals, files, overdue sources, and the outcome of each source.",
      params: z.strictObject({ id: runId }),
      query: runQuery,
      answers: {
        200: { description: "The run, its figures, and a page of its sources", body: runReport },
        404: problem("No such run"),
      },
      handler:
        ({ runs }) =>
        async (context, { params: { id }, query }) => {
          const found = await runs.get(id);
          if (found === undefined) return refuseUnknown(context, "run", id);
          const { limit, after } = query;
          const { run, totals, files, waitingFiles, sources, ...more } = await readReport(found, runs);
          const { late, overdue, quality } = more;
          if (after !== undefined && sources.every(({ sourceId }) => sourceId !== after)) {
            throw new InputError("after", after, "is not a source of the run");
          }
          const left = sources
            .filter((each) => (after === undefined || each.sourceId > after) && isMeant(each, query))
            .sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
          const page = left.slice(0, limit);
          return context.json({
            ...runView(run),
            totals,
            files: files.map(fileView),
            waitingFiles: waitingFiles.map(fileView),
            ...(late && { late }),
            ...(overdue && { overdue }),
            ...(quality && { quality: quality.map(newsView) }),
            sources: page.map((source) => sourceView(source, maxProblemsPerList(page))),
            ...(left.length > limit && { next: page.at(-1)?.sourceId }),
          });
        },
    }),
  ],
} satisfies Subject<RunPorts>;

function isMeant(
  report: SourceReport,
  { source, q = "", outcome }: Pick<RunQuery, "source" | "q" | "outcome">,
): boolean {
  return (
    (source === undefined || report.sourceId === source) &&
    (outcome === undefined || hasOutcome(report, outcome)) &&
    hasWords(q, [report.title, report.sourceId])
  );
}

function newsView({ found, recovered, ...source }: DriftNews) {
  return { ...source, found: found.map(driftView), recovered: recovered.map(driftView) };
}

function fileView({ documents, ...file }: PlannedFile) {
  return { ...file, records: documents.count };
}

/**
 * Returns the figures of a source, with the maximum number of problems that a response can contain. Known articles are
 * counted by reason.
 */
function sourceView({ known: _known, dropped: _dropped, ...source }: SourceReport, most: number) {
  const {
    reason,
    title,
    knownToArchive,
    duplicates,
    delinquent,
    unusable,
    unreachable,
    warnings,
    ...figures
  } = source;
  return {
    ...figures,
    listed: listedOf(outcomeCounts({ ...source, known: _known, dropped: _dropped })),
    title: shortenText(title),
    ...(reason !== undefined && { reason: shortenText(reason) }),
    known: knownToArchive,
    duplicates: limitProblems(duplicates, most),
    delinquent: limitProblems(delinquent, most),
    unusable: limitProblems(unusable, most),
    unreachable: limitProblems(unreachable, most),
    warnings: limitProblems(warnings, most),
  };
}
