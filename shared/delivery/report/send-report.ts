import type { Clock } from "../../core/clock.ts";
import { distinctAddresses } from "../../core/mail-address.ts";
import type { Events } from "../../events/events.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { StageRequest } from "../../runs/stages.ts";
import type { SourceStatusStore } from "../../sources/source-status.ts";
import type { SourceStore } from "../../sources/source-store.ts";
import { overdueForMode } from "./overdue.ts";
import { type RunReport, reportRun } from "./report.ts";
import { buildReportMail } from "./report-mail.ts";

interface SendReportPorts {
  runs: RunStore;
  sources: SourceStore;
  mailer: Mailer;
  events: Events;
  clock: Clock;
  status: Pick<SourceStatusStore, "statusOf">;
  /** The recipients of every report; those of the groups that took part come on top. */
  recipients: string[];
  timeZone: string;
  /** Where the files are: the address to which a key is appended. */
  filesUrl: string;
}

/**
 * Mails the report of a failure, or that of the run's end, and then marks the run finished. Whether it has failed is told
 * by the request alone: the run may be under way again, and has not ended before its last result is there. Of previews
 * nobody is told but who asks.
 */
export async function sendReport({ runId, failure }: StageRequest, ports: SendReportPorts): Promise<void> {
  const { runs } = ports;
  const run = await runs.get(runId);
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  if (run.state === "finished" || run.deliveryMode === "NONE") return;
  if (failure !== undefined) {
    await publishReport({ ...run, state: "failed", failure }, ports);
    return;
  }
  if ((await runs.stageResult(runId, "overdue")) === undefined) return;
  const { failure: _past, ...past } = run;
  const finishedAt = ports.clock.now().toISOString();
  await publishReport({ ...past, state: "finished", finishedAt }, ports);
  // Last: a repeat finds the run finished and does nothing.
  await runs.changeState(runId, ["delivering"], { state: "finished", finishedAt });
}

/** Mails where a run stands, once, and tells of it on the bus. */
async function publishReport(run: Run, ports: SendReportPorts): Promise<void> {
  const { runs, mailer, events } = ports;
  const report = { ...(await withOverdue(await reportRun(run.runId, runs), ports)), run };
  const to = await recipientsOf(report, ports);
  const mail = buildReportMail(report, { ...ports, to });
  const sent = `mail-${mail.id}` as const;
  if ((await runs.stageResult(run.runId, sent)) === undefined) {
    if (to.length > 0) await mailer.send(mail);
    // Afterwards: a mail that is repeated after a crash is better than one that is lost.
    await runs.finishStage(run.runId, sent, { to });
  }
  await events.publish({
    type: run.state === "failed" ? "run.failed" : "run.finished",
    changeId: mail.id,
    detail: { runId: run.runId, deliveryMode: run.deliveryMode, totals: report.totals },
  });
}

/**
 * The report with the overdue sources, also of a run that has stopped before their stage: they are looked for each evening, and a
 * receiver that is down for days would hide them.
 */
async function withOverdue(report: RunReport, ports: SendReportPorts): Promise<RunReport> {
  if (report.overdue !== undefined) return report;
  return { ...report, overdue: await overdueForMode(report.run.deliveryMode, ports) };
}

/** Whoever gets every report, and those of the groups that took part. What is not valid has no recipients. */
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
