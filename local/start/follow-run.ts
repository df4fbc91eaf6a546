import { setTimeout as sleep } from "node:timers/promises";
import { oneLine } from "../../shared/core/one-line.ts";
import { type RunReport, reportRun } from "../../shared/deliver/report/report.ts";
import { mailIdOf } from "../../shared/deliver/report/report-mail.ts";
import { describeKnownCounts } from "../../shared/deliver/report/report-view.ts";
import type { SourceReport } from "../../shared/deliver/report/source-report.ts";
import type { Run, RunFailure } from "../../shared/records/runs/run.ts";
import type { RunStore } from "../../shared/records/runs/run-store.ts";
import { adviseOnPrivateAtStart } from "../private-host.ts";
import { describeTimeLeft } from "../time-left.ts";
import type { LiveLine } from "./live-line.ts";

const pollIntervalMs = 200;

/**
 * The pause between two reads of a run's progress, as a multiple of the duration of a read. A read includes
 * all outcomes, so without the pause, a long run would spend its time on reads.
 */
const readingPause = 25;

/** The maximum number of misses shown per source. The mail lists all of them. */
const maxMissesShown = 5;

interface FollowOptions {
  print: (line: string) => void;
  /** The line of a terminal that shows the progress; undefined to print a line for each change. */
  live?: LiveLine | undefined;
  signal: AbortSignal;
  /**
   * The failure before the run was resumed. As long as the run still has this failure, it has not resumed
   * yet.
   */
  earlierFailure?: RunFailure | undefined;
}

/** Follows a run until it ends, and prints a line for each change. */
export async function followRun(
  runId: string,
  runs: RunStore,
  { print, live, signal, earlierFailure }: FollowOptions,
): Promise<RunReport> {
  let lastLine = "";
  let harvest: HarvestPace | undefined;
  let nextReadingMs = 0;
  let lastState: Run["state"] | undefined;
  for (;;) {
    signal.throwIfAborted();
    const run = await runs.get(runId);
    const isResumePending = run?.state === "failed" && run.failure?.at === earlierFailure?.at;
    const isDue = run?.state !== lastState || performance.now() >= nextReadingMs;
    if (run !== undefined && !isResumePending && isDue) {
      lastState = run.state;
      const startedAtMs = performance.now();
      const report = await reportRun(runId, runs);
      nextReadingMs = performance.now() + readingPause * (performance.now() - startedAtMs);
      const line = describeProgress(report);
      const isEnded = report.run.state === "finished" || report.run.state === "failed";
      if (live !== undefined && !isEnded) {
        const articles = countArticles(report);
        harvest ??= { startedAtMs: performance.now(), readBefore: articles.read };
        live.show([line, timeLeft(articles, harvest)].filter((part) => part !== "").join(", "));
      } else {
        live?.clear();
        if (line !== lastLine) print(line);
      }
      lastLine = line;
      if (report.run.state === "failed") await waitForFailureMail(report.run, runs, signal);
      if (report.run.state === "finished" || report.run.state === "failed") return report;
    }
    await sleep(pollIntervalMs, undefined, { signal });
  }
}

/** The maximum wait for the mail about a failure. A mail that takes longer is sent by a later start. */
const mailTimeoutMs = 10_000;

/**
 * Waits for the mail about a failed run, because the run is marked as failed before the mail is sent. A run
 * that failed at the stage `report` gets no mail.
 */
async function waitForFailureMail(run: Run, runs: RunStore, signal: AbortSignal): Promise<void> {
  if (run.failure?.stage === "report") return;
  for (let waitedMs = 0; waitedMs < mailTimeoutMs; waitedMs += pollIntervalMs) {
    if ((await runs.stageResult(run.runId, `mail-${mailIdOf(run)}`)) !== undefined) return;
    await sleep(pollIntervalMs, undefined, { signal });
  }
}

/** The time and the progress at which this process began to follow a harvest. */
interface HarvestPace {
  startedAtMs: number;
  readBefore: number;
}

function timeLeft({ read, wanted }: { read: number; wanted: number }, from: HarvestPace): string {
  const [done, total] = [read - from.readBefore, wanted - from.readBefore];
  return describeTimeLeft({ done, total, tookMs: performance.now() - from.startedAtMs });
}

function countArticles({ sources }: RunReport): { read: number; wanted: number } {
  return {
    read: sources.reduce((sum, source) => sum + source.read, 0),
    wanted: sources.reduce((sum, { requested }) => sum + requested, 0),
  };
}

/** Describes the progress of a run in one line. */
function describeProgress(report: RunReport): string {
  const { run, sources, totals } = report;
  if (run.state === "starting" || sources.length === 0) return "harvesting: waiting for the feeds";
  const { read, wanted } = countArticles(report);
  // Dropped feed entries are not counted, because they are not articles that were read.
  const leftOut = sources.reduce(
    (sum, { unusable, unreachable, dropped }) => sum + unusable.count - dropped.length + unreachable.count,
    0,
  );
  const counts = `${read} of ${wanted} articles read, ${totals.converted} converted, ${leftOut} left out`;
  return run.state === "harvesting"
    ? `harvesting: ${counts}`
    : `${run.state}: ${counts}, ${totals.delivered} delivered`;
}

/** Describes the results of a run in lines, without line ends or control characters from pages and feeds. */
export function describeRun({ sources, totals, overdue }: RunReport): string[] {
  const lines = [
    ...sources.flatMap(sourceLines),
    `Delivered ${totals.delivered}${listNonZero([...describeKnownCounts(totals.knownToArchive), [totals.undelivered, "not delivered yet"]])}, ${describeLeftOut(totals)}, refused ${totals.delinquent + totals.refusedBefore}, waiting ${totals.onlineFirst}, overdue sources ${overdue?.length ?? "not checked"}.`,
  ];
  return lines.map(oneLine);
}

function sourceLines(source: SourceReport): string[] {
  if (source.state === "failed")
    return [`${source.title}: FAILED: ${adviseOnPrivateAtStart(source.reason ?? "")}`];
  const misses = [
    { type: "dropped", ...source.unusable },
    { type: "unreachable", ...source.unreachable },
    { type: "refused", ...source.delinquent },
    { type: "refused", ...source.refusedBefore },
  ];
  const missed = misses.reduce((sum, { count }) => sum + count, 0);
  const shown = misses
    .flatMap(({ type, first }) => first.map((miss) => ({ type, ...miss })))
    .slice(0, maxMissesShown);
  return [
    `${source.title}: ${source.entries} listed, ${source.converted} converted, ${source.delivered} delivered${listNonZero([...describeKnownCounts(source.knownToArchive), [source.duplicates.count, "duplicate, or ignored"]])}`,
    ...shown.map(({ type, what, reason }) => `  ${type}: ${what}: ${adviseOnPrivateAtStart(reason)}`),
    ...(missed > shown.length ? [`  … and ${missed - shown.length} more: see the mail`] : []),
  ];
}

/** Describes the articles that did not become records: they had no usable metadata, or no response. */
function describeLeftOut({ unusable, unreachable }: RunReport["totals"]): string {
  const figures = [
    unusable > 0 ? `${unusable} dropped` : "",
    unreachable > 0 ? `${unreachable} unreachable` : "",
  ];
  const reasons = figures.filter((figure) => figure !== "").join(", ");
  return `left out ${unusable + unreachable}${reasons === "" ? "" : ` (${reasons})`}`;
}

/** Appends a list of all figures that are not zero. */
function listNonZero(figures: [number, string][]): string {
  return figures
    .filter(([n]) => n > 0)
    .map(([n, what]) => `, ${n} ${what}`)
    .join("");
}

/**
 * Describes why runs failed: a stage stopped, or no source could be read. `undefined` if no run failed. Only
 * the last report of each source counts.
 */
export function describeFailure(reports: RunReport[]): string | undefined {
  const stopped = reports
    .filter(({ run }) => run.state === "failed")
    .map(
      ({ run }) =>
        `the delivery of run ${run.runId} stopped at ${run.failure?.stage}: ${run.failure?.reason}`,
    );
  const sources = [
    ...new Map(reports.flatMap((report) => report.sources.map((one) => [one.sourceId, one]))).values(),
  ];
  const isNoneRead = sources.length > 0 && sources.every(({ state }) => state === "failed");
  const unread = sources
    .map(({ title, reason = "" }) => `${title}: ${adviseOnPrivateAtStart(reason)}`)
    .join("; ");
  const failures = [...stopped, ...(isNoneRead ? [`no source could be read: ${unread}`] : [])].map(oneLine);
  return failures.length > 0 ? failures.join("\n") : undefined;
}
