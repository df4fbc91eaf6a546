import type { Clock } from "../../core/clock.ts";
import { distinctAddresses } from "../../core/mail-address.ts";
import type { Events } from "../../records/events/events.ts";
import type { Mailer } from "../../records/mail/mailer.ts";
import type { Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { StageRequest } from "../../records/runs/stages.ts";
import type { SourceStatusStore } from "../../records/sources/source-status.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { type WatchQualityPorts, watchQuality } from "../quality/watch-quality.ts";
import { whyNothingDelivered } from "./nothing-delivered.ts";
import { overdueForMode } from "./overdue.ts";
import { type FinalReport, figuresOf, type RunReport, reportRun } from "./report.ts";
import { buildReportMail, mailIdOf } from "./report-mail.ts";
import { type SourceRunStore, saveSourceRuns } from "./source-runs.ts";

interface SendReportPorts {
  runs: RunStore;
  sources: SourceStore;
  mailer: Mailer;
  events: Events;
  clock: Clock;
  status: Pick<SourceStatusStore, "statuses" | "addRun">;
  sourceRuns: Pick<SourceRunStore, "save">;
  quality: WatchQualityPorts["quality"];
  /** The recipients of every report, in addition to the recipients of the groups that took part. */
  recipients: string[];
  timeZone: string;
  /** The URL to which the key of a file is appended. */
  filesUrl: string;
  /** The address of the console; absent when it is not configured. */
  consoleUrl?: string | undefined;
  /** Reports that a live run has delivered nothing from its sources, with the reason. */
  reportNothingDelivered(runId: string, reason: string): void;
}

/**
 * Mails the report of a failure; or mails the final report and marks the run as finished. Only the request decides
 * which, because the run may be in progress again after a failure. The final report requires the result of the last
 * stage. Previews have no mails.
 */
export async function sendReport({ runId, failure }: StageRequest, ports: SendReportPorts): Promise<void> {
  const { runs } = ports;
  const run = await runs.get(runId);
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  if (run.deliveryMode === "NONE") return;
  if (run.state === "finished") return publishAgain(run, ports);
  if (failure !== undefined) {
    await publishEnd(await mailReport({ ...run, state: "failed", failure }, ports), ports);
    return;
  }
  if ((await runs.stageResult(runId, "overdue")) === undefined) return;
  const { failure: _past, ...past } = run;
  const finishedAt = ports.clock.now().toISOString();
  const mailed = await mailReport({ ...past, state: "finished", finishedAt }, ports);
  const reason = whyNothingDelivered(mailed);
  if (reason !== undefined) ports.reportNothingDelivered(runId, reason);
  const { run: finished, ...report } = mailed;
  // Gathering it again would read all that the run has found.
  const stored = await runs.finishStage<FinalReport>(runId, "report", report);
  const figures = figuresOf(stored.totals);
  await runs.changeState(runId, ["delivering"], { state: "finished", finishedAt, figures });
  await publishEnd({ ...stored, run: finished }, ports);
}

/** Publishes the end of a finished run again, under the same id: a function that was killed may not have done so. */
async function publishAgain(run: Run, ports: SendReportPorts): Promise<void> {
  const report = await ports.runs.stageResult<FinalReport>(run.runId, "report");
  if (report !== undefined) await publishEnd({ ...report, run }, ports);
}

/** The maximum number of late sources in an event, whose size is limited to 256 KB. */
const maxLateInEvent = 100;

/** Saves the results of a run by source, and mails its state once. */
async function mailReport(run: Run, ports: SendReportPorts): Promise<RunReport> {
  const { runs, mailer } = ports;
  const reported = await withOverdue(await reportRun(run.runId, runs), ports);
  const titles = new Map(reported.sources.map(({ sourceId, title }) => [sourceId, title]));
  const report = { ...reported, run, quality: await watchQuality(run, titles, ports) };
  await saveSourceRuns(report, ports);
  const to = await recipientsOf(report, ports);
  const mail = buildReportMail(report, { ...ports, to });
  const sent = `mail-${mail.id}` as const;
  if ((await runs.stageResult(run.runId, sent)) === undefined) {
    await mailer.send(mail);
    // This comes after the mail, because a repeated mail is better than a lost one.
    await runs.finishStage(run.runId, sent, { to });
  }
  return report;
}

/** Publishes how a run has ended, when its state says the same. */
async function publishEnd({ run, totals, late }: RunReport, { events }: SendReportPorts): Promise<void> {
  await events.publish({
    type: run.state === "failed" ? "run.failed" : "run.finished",
    changeId: mailIdOf(run),
    detail: {
      runId: run.runId,
      deliveryMode: run.deliveryMode,
      totals,
      ...(late && { late: late.slice(0, maxLateInEvent) }),
    },
  });
}

/**
 * Adds the overdue sources to the report, even if the run stopped before that stage. Otherwise, overdue sources would
 * remain unnoticed while a receiver is down for days.
 */
async function withOverdue(report: RunReport, ports: SendReportPorts): Promise<RunReport> {
  if (report.overdue !== undefined) return report;
  return { ...report, overdue: await overdueForMode(report.run.deliveryMode, ports) };
}

/** Returns the recipients of every report, and the recipients of the valid groups that took part. */
async function recipientsOf({ run, sources }: RunReport, ports: SendReportPorts): Promise<string[]> {
  const tookPart = new Set(sources.map(({ sourceId }) => sourceId));
  const [configured, { groups }] = await Promise.all([
    ports.sources.sourcesByMode(run.deliveryMode),
    ports.sources.groups(),
  ]);
  const groupIds = new Set(
    configured.sources.filter(({ sourceId }) => tookPart.has(sourceId)).map(({ groupId }) => groupId),
  );
  const concerned = groups.filter(({ groupId }) => groupIds.has(groupId));
  return distinctAddresses([...ports.recipients, ...concerned.flatMap(({ recipients }) => recipients)]);
}
