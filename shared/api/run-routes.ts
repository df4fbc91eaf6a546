import * as z from "zod";
import { InputError } from "../core/errors.ts";
import type { PlannedFile } from "../delivery/plan/delivery.ts";
import { type ReportedRuns, reportRun } from "../delivery/report/report.ts";
import { limitProblems, maxProblemsPerList } from "../delivery/report/report-view.ts";
import { shortenText } from "../delivery/report/shorten-text.ts";
import type { SourceReport } from "../delivery/report/source-report.ts";
import { deliveredModes, deliveredRunId } from "../runs/run.ts";
import type { RunStore } from "../runs/run-store.ts";
import { problem, refuseUnknown } from "./answer.ts";
import { afterText, next, pageLimit } from "./paging.ts";
import { routesOver, type Subject } from "./route.ts";
import { run, runReport } from "./run-answers.ts";

export interface RunPorts {
  runs: ReportedRuns & Pick<RunStore, "listLatest">;
}

const runId = z
  .string()
  .regex(deliveredRunId, "must be the id of a run, such as live-20261120T190000Z")
  .describe("`live-` or `test-` and the start of the run");

const route = routesOver<RunPorts>();

export const runSubject: Subject<RunPorts> = {
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
            throw new InputError("after", afterId, `is no run of the mode ${mode}`);
          const found = await runs.listLatest(mode, { limit: limit + 1, after });
          const page = found.slice(0, limit);
          return context.json({ runs: page, ...(found.length > limit && { next: page.at(-1)?.runId }) });
        },
    }),
    route({
      method: "GET",
      path: "/runs/{id}",
      summary: "Gives the report of a run as of now",
      details:
        "The report has what the mail says: totals, files, overdue sources, and the outcome of each source.",
      params: z.strictObject({ id: runId }),
      query: z.strictObject({
        limit: pageLimit({ most: 500, otherwise: 100 }).describe("Sources per page"),
        after: z.string().optional().describe(afterText),
      }),
      answers: {
        200: { description: "The run, its figures, and a page of its sources", body: runReport },
        404: problem("No such run"),
      },
      handler:
        ({ runs }) =>
        async (context, { params: { id }, query: { limit, after } }) => {
          if ((await runs.get(id)) === undefined) return refuseUnknown(context, "run", id);
          const { run, totals, files, waitingFiles, overdue, sources } = await reportRun(id, runs);
          if (after !== undefined && sources.every(({ sourceId }) => sourceId !== after)) {
            throw new InputError("after", after, "is no source of the run");
          }
          const left = sources
            .filter(({ sourceId }) => after === undefined || sourceId > after)
            .sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
          const page = left.slice(0, limit);
          return context.json({
            ...run,
            totals,
            files: files.map(fileView),
            waitingFiles: waitingFiles.map(fileView),
            ...(overdue && { overdue }),
            sources: page.map((source) => sourceView(source, maxProblemsPerList(page))),
            ...(left.length > limit && { next: page.at(-1)?.sourceId }),
          });
        },
    }),
  ],
};

function fileView({ documents, ...file }: PlannedFile) {
  return { ...file, records: documents.count };
}

/** Figures, and as many problems as an answer can hold. Known articles are counted by reason. */
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
