import { Hono } from "hono";
import { z } from "zod";
import { InputError } from "../core/errors.ts";
import type { PlannedFile } from "../delivery/plan/delivery.ts";
import { type ReportedRuns, reportRun } from "../delivery/report/report.ts";
import { limitProblems, maxProblemsPerList } from "../delivery/report/report-view.ts";
import { shortenText } from "../delivery/report/shorten-text.ts";
import type { SourceReport } from "../delivery/report/source-report.ts";
import { deliveredModes, deliveredRunId } from "../runs/run.ts";
import type { RunStore } from "../runs/run-store.ts";
import { parseQuery, wholeNumber } from "./parse-request.ts";

export interface RunPorts {
  runs: ReportedRuns & Pick<RunStore, "listLatest">;
}

const listQuery = z.strictObject({
  mode: z.enum(deliveredModes).default("LIVE"),
  limit: wholeNumber({ most: 500 }).default(50),
  /** The run after which the page begins. */
  after: z.string().optional(),
});

const sourcesQuery = z.strictObject({
  limit: wholeNumber({ most: 500 }).default(100),
  /** The source after which the page begins. */
  after: z.string().optional(),
});

/** The runs of the daily delivery; previews have routes of their own. */
export function runRoutes({ runs }: RunPorts): Hono {
  const app = new Hono();

  /** Those of a mode, newest first; `next` is where the following page begins. */
  app.get("/runs", async (context) => {
    const { mode, limit, after: afterId } = parseQuery(context, listQuery);
    const after = afterId === undefined ? undefined : await runs.get(parseRunId("after", afterId));
    if (afterId !== undefined && after?.deliveryMode !== mode)
      throw new InputError("after", afterId, `is no run of the mode ${mode}`);
    const found = await runs.listLatest(mode, { limit: limit + 1, after });
    const page = found.slice(0, limit);
    return context.json({ runs: page, ...(found.length > limit && { next: page.at(-1)?.runId }) });
  });

  /**
   * What the mail of a run says, as of now: the run, its totals, files and overdue sources, and how its sources fared, in the
   * order of their ids; `next` is where their following page begins.
   */
  app.get("/runs/:id", async (context) => {
    const id = parseRunId("id", context.req.param("id"));
    const { limit, after } = parseQuery(context, sourcesQuery);
    if ((await runs.get(id)) === undefined) return context.json({ error: `there is no run ${id}` }, 404);
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
  });

  return app;
}

/** @throws InputError for what is not the id of such a run */
function parseRunId(parameter: string, id: string): string {
  if (deliveredRunId.test(id)) return id;
  throw new InputError(parameter, id, "must be the id of a run, such as live-20261120T190000Z");
}

function fileView({ articles, ...file }: PlannedFile) {
  return { ...file, records: articles.count };
}

/** Figures, and of what went wrong as much as an answer can hold. What was left out as known is counted by reason. */
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
