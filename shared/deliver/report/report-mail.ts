import { dayIn } from "../../core/day.ts";
import { pluralize } from "../../core/pluralize.ts";
import type { Mail } from "../../records/mail/mailer.ts";
import type { Run } from "../../records/runs/run.ts";
import { renderHtml } from "./render-html.ts";
import { renderText } from "./render-text.ts";
import type { RunReport } from "./report.ts";
import { describeReport, isOutage } from "./report-view.ts";

interface MailSettings {
  /** The recipients; at least one address. */
  to: string[];
  /** The IANA time zone for the day in the subject. */
  timeZone: string;
  /** The URL to which the key of a file is appended. */
  filesUrl: string;
  /** The address of the console; absent when it is not configured. */
  consoleUrl?: string | undefined;
}

/** Returns the id of a mail. Each failure of a run has one mail, and so has its end. */
export function mailIdOf({ runId, state, failure }: Run): string {
  return [runId, state, failure?.stage, failure?.at.replaceAll(/\W/g, "")].filter(Boolean).join(".");
}

/**
 * Builds the mail about a run. It lists the delivered records, and everything that was not delivered, with the reason.
 */
export function buildReportMail(report: RunReport, { to, timeZone, ...urls }: MailSettings): Mail {
  const subject = subjectOf(report, timeZone);
  const view = describeReport(report, urls);
  return {
    id: mailIdOf(report.run),
    to,
    subject,
    text: renderText(view),
    html: renderHtml(view, subject),
  };
}

function subjectOf({ run, totals, sources }: RunReport, timeZone: string): string {
  const day = dayIn(timeZone, new Date(run.startedAt));
  const mode = run.deliveryMode === "TEST" ? " (test)" : "";
  if (run.state === "failed")
    return `Ingather${mode} ${day}: delivery FAILED at ${run.failure?.stage ?? "an unknown stage"}`;
  const failed = sources.filter(({ state }) => state === "failed").length;
  const trouble = isOutage(sources)
    ? ", our own network was down"
    : failed === 0
      ? ""
      : `, ${pluralize(failed, "source")} failed`;
  const { delivered, delinquent, refusedBefore } = totals;
  const before = refusedBefore === 0 ? "" : `, ${refusedBefore} refused as before`;
  const refused = `${delinquent === 0 ? "" : `, ${delinquent} refused`}${before}`;
  return `Ingather${mode} ${day}: ${pluralize(delivered, "record")} delivered${refused}${trouble}`;
}
