import { html } from "hono/html";
import { dayIn } from "../core/day.ts";
import type { Mail } from "../ports.ts";
import type { Miss, RunReport, SourceReport } from "./report.ts";

interface MailSettings {
  /** At least one address. */
  to: string[];
  /** The sender's domain, for the Message-ID. */
  domain: string;
  /** IANA name; the subject's day goes by it. */
  timeZone: string;
}

/** The mail that tells of a run: what was delivered, and everything that was not, with its reason. */
export function reportMail(report: RunReport, { to, domain, timeZone }: MailSettings): Mail {
  return {
    messageId: `<${[report.run.runId, report.run.state, report.run.failure?.stage].filter(Boolean).join(".")}@${domain}>`,
    to,
    subject: subjectOf(report, timeZone),
    text: textOf(report),
    html: String(htmlOf(report, timeZone)),
  };
}

function subjectOf({ run, totals, sources }: RunReport, timeZone: string): string {
  const day = dayIn(timeZone, new Date(run.startedAt));
  const mode = run.deliveryMode === "TEST" ? " (test)" : "";
  if (run.state === "failed")
    return `Ingather${mode} ${day}: delivery FAILED at ${run.failure?.stage ?? "an unknown stage"}`;
  const failed = sources.filter(({ state }) => state === "failed").length;
  const trouble = failed === 0 ? "" : `, ${count(failed, "source")} failed`;
  return `Ingather${mode} ${day}: ${count(totals.delivered, "record")} delivered${trouble}`;
}

/** The figures of a source, in the order in which they come about. Zeros are left out, but for what was delivered. */
function figuresOf(source: SourceReport): string {
  const figures: [number, string][] = [
    [source.entries, "listed"],
    [source.alreadyDelivered, "already delivered"],
    [source.converted, "converted"],
    [source.duplicates, "the same as another"],
    [source.unusable.length, "dropped"],
    [source.unreachable.length, "unreachable"],
    [source.unanswered, "not answered before the deadline"],
    [source.onlineFirst, "online-first, waiting"],
    [source.delinquent.length, "delinquent"],
  ];
  return [...figures.filter(([n]) => n > 0), [source.delivered, "delivered"]]
    .map(([n, what]) => `${n} ${what}`)
    .join(", ");
}

/** What is to be looked at of a source, with headings. */
function missesOf(source: SourceReport): { heading: string; misses: Miss[] }[] {
  return [
    { heading: "Dropped", misses: source.unusable },
    { heading: "Not to be had from the host", misses: source.unreachable },
    { heading: "Delinquent (refused by validation)", misses: source.delinquent },
    { heading: "Converted with a warning", misses: source.warnings },
  ].filter(({ misses }) => misses.length > 0);
}

function textOf(report: RunReport): string {
  const { run, sources, files, overdue } = report;
  const lines = [`Run ${run.runId} (${run.deliveryMode}), started ${run.startedAt}.`, ""];
  if (run.failure !== undefined) {
    lines.push(
      `The delivery stopped at ${run.failure.stage}: ${run.failure.reason}`,
      "It goes on there when the stage is asked for again: see delivery-stopped in the runbook.",
      "",
    );
  }
  lines.push(
    "DELIVERED FILES",
    ...orNone(files.map(({ key, records }) => `  ${key}: ${count(records, "record")}`)),
    "",
  );
  lines.push("SOURCES", ...orNone(sources.flatMap(sourceLines)), "");
  lines.push("OVERDUE", ...orNone(overdue.map((source) => `  ${source.title}: ${lastDelivery(source)}`)), "");
  return lines.join("\n");
}

function sourceLines(source: SourceReport): string[] {
  if (source.state === "failed") return [`  ${source.title}: FAILED: ${source.reason ?? "no reason given"}`];
  return [
    `  ${source.title}: ${figuresOf(source)}`,
    ...(source.reason === undefined ? [] : [`    Note: ${source.reason}`]),
    ...missesOf(source).flatMap(({ heading, misses }) => [
      `    ${heading}:`,
      ...misses.map(
        ({ what, url, reason }) =>
          `      - ${what}${url !== "" && url !== what ? ` <${url}>` : ""}: ${reason}`,
      ),
    ]),
  ];
}

function htmlOf(report: RunReport, timeZone: string) {
  const { run, sources, files, overdue } = report;
  return html`<!doctype html>
<html lang="en"><body style="font: 15px/1.5 sans-serif; color: #222; max-width: 46em">
<h1 style="font-size: 1.3em">${subjectOf(report, timeZone)}</h1>
<p>Run ${run.runId} (${run.deliveryMode}), started ${run.startedAt}.</p>
${run.failure && html`<p style="color: #a00"><strong>The delivery stopped at ${run.failure.stage}:</strong> ${run.failure.reason}. It goes on there when the stage is asked for again: see <em>delivery-stopped</em> in the runbook.</p>`}
<h2 style="font-size: 1.1em">Delivered files</h2>
${list(files.map(({ key, records }) => html`${key}: ${count(records, "record")}`))}
<h2 style="font-size: 1.1em">Sources</h2>
${list(sources.map(sourceHtml))}
<h2 style="font-size: 1.1em">Overdue</h2>
${list(overdue.map((source) => html`${source.title}: ${lastDelivery(source)}`))}
</body></html>`;
}

function sourceHtml(source: SourceReport) {
  if (source.state === "failed") {
    return html`<strong>${source.title}</strong>: <span style="color: #a00">failed</span>: ${source.reason ?? "no reason given"}`;
  }
  return html`<strong>${source.title}</strong>: ${figuresOf(source)}
${source.reason && html`<br>Note: ${source.reason}`}
${missesOf(source).map(
  ({ heading, misses }) => html`<br><em>${heading}</em>
${list(misses.map(({ what, url, reason }) => html`${url === "" ? what : html`<a href="${url}">${what}</a>`}: ${reason}`))}`,
)}`;
}

function list(items: unknown[]) {
  return items.length === 0
    ? html`<p>None.</p>`
    : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function orNone(lines: string[]): string[] {
  return lines.length === 0 ? ["  None."] : lines;
}

function lastDelivery({
  lastDeliveredAt,
  windowDays,
}: {
  lastDeliveredAt?: string;
  windowDays: number;
}): string {
  const last =
    lastDeliveredAt === undefined ? "never delivered" : `last delivered ${lastDeliveredAt.slice(0, 10)}`;
  return `${last}, expected every ${count(windowDays, "day")}`;
}

/** `1 record`, `2 records`. */
function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
