import type { Clock } from "../core/clock.ts";
import type { Events, Mailer, RunStore, SourceStore } from "../ports.ts";
import { reportRun } from "./report.ts";
import { reportMail } from "./report-mail.ts";
import type { StageRequest } from "./stages.ts";

export interface SendReportPorts {
  runs: RunStore;
  sources: SourceStore;
  mailer: Mailer;
  events: Events;
  clock: Clock;
  /** The recipients of every report; those of the groups that took part come on top. */
  recipients: string[];
  /** The sender's domain, for message ids. */
  domain: string;
  timeZone: string;
  /** Where the files are: the address to which a key is appended. */
  filesUrl: string;
}

/** Ends a run: mails its report, once, and marks it finished. A failed run is mailed as such, and stays failed. */
export async function sendReport({ runId }: StageRequest, ports: SendReportPorts): Promise<void> {
  const { runs } = ports;
  const run = await runs.get(runId);
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  if (run.state === "finished") return;
  const finishedAt = ports.clock.now().toISOString();
  const report = await reportRun(runId, runs);
  const shown =
    run.state === "failed" ? report : { ...report, run: { ...run, state: "finished" as const, finishedAt } };
  const to = await recipientsOf(
    shown.sources.map(({ sourceId }) => sourceId),
    ports,
  );
  if (to.length > 0) await ports.mailer.send(reportMail(shown, { ...ports, to }));
  await ports.events.publish({
    type: run.state === "failed" ? "run.failed" : "run.finished",
    changeId: `${runId}/${shown.run.state}`,
    detail: { runId, deliveryMode: run.deliveryMode, totals: shown.totals },
  });
  // Last: a repeat finds the run finished and does nothing.
  if (run.state !== "failed") await runs.move(runId, ["delivering"], { state: "finished", finishedAt });
}

async function recipientsOf(sourceIds: string[], ports: SendReportPorts): Promise<string[]> {
  const sources = await Promise.all(sourceIds.map((id) => ports.sources.source(id)));
  const groupIds = new Set(sources.flatMap((source) => (source === undefined ? [] : [source.groupId])));
  const groups = await Promise.all([...groupIds].map((id) => ports.sources.group(id)));
  return [...new Set([...ports.recipients, ...groups.flatMap((group) => group?.recipients ?? [])])];
}
