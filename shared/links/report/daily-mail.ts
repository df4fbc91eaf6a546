import { html } from "hono/html";
import { digest } from "../../core/digest.ts";
import { mailHtml } from "../../core/mail-html.ts";
import type { Mail } from "../../records/mail/mailer.ts";
import {
  type ChangeFigures,
  type DayFigures,
  type LinkChangeType,
  linkChangeTypes,
} from "../status/statistics.ts";
import type { DailyNote } from "./daily-notes.ts";

interface DailyReport {
  /** `YYYY-MM-DD`. */
  day: string;
  figures: DayFigures[];
  /** Titles of the collections, by id. */
  titles: Map<string, string>;
  notes: DailyNote[];
}

/**
 * Builds the mail about one day. The mail reports how many links of each collection were activated, suppressed and
 * deleted, with samples. It also reports the changes of the collections themselves, and the estimated share of dead
 * links.
 * @param audience `all` for the recipients of all collections, otherwise an address
 */
export function buildDailyMail(
  report: DailyReport,
  { audience, to }: { audience: string; to: string[] },
): Mail {
  return {
    id: `links.${report.day}.${audience === "all" ? audience : digest(audience)}`,
    to,
    subject: `Ingather: link checker report for ${report.day}`,
    text: renderText(report),
    html: renderHtml(report),
  };
}

const changeWords: Record<LinkChangeType, string> = {
  activated: "activated",
  suppressed: "suppressed",
  deleted: "deleted",
  unjudged: "could not be judged",
  refused: "not judged because their host refuses our requests",
};

const noChangesText = "No link or collection was activated, suppressed or deleted.";

function describeFigures(
  { collectionId, activated, suppressed, deleted, ...others }: DayFigures,
  titles: DailyReport["titles"],
) {
  const title = titles.get(collectionId) ?? collectionId;
  const notJudged = (["unjudged", "refused"] as const)
    .filter((change) => others[change].count > 0)
    .map((change) => `, ${others[change].count} ${changeWords[change]}`);
  return `${title}: ${activated.count} activated, ${suppressed.count} suppressed, ${deleted.count} deleted${notJudged.join("")}`;
}

/** Describes the changes of the collection itself. */
function collectionLines({ collection }: DayFigures): string[] {
  return collection.map(({ to, at, reason }) => `the collection was ${to} at ${at}: ${reason}`);
}

/** Returns each kind of change that occurred, with its samples and the number of further changes. */
function sectionsOf(row: DayFigures): { word: string; samples: ChangeFigures["samples"]; more: string[] }[] {
  return linkChangeTypes
    .filter((change) => row[change].count > 0)
    .map((change) => {
      const { count, samples } = row[change];
      return {
        word: changeWords[change],
        samples,
        more: count > samples.length ? [`and ${count - samples.length} more`] : [],
      };
    });
}

function renderText({ day, figures, titles, notes }: DailyReport): string {
  const lines = [`Links on ${day}`, ""];
  if (figures.length === 0) lines.push(noChangesText, "");
  for (const row of figures) {
    lines.push(describeFigures(row, titles));
    lines.push(...collectionLines(row).map((line) => `  ${line}`));
    for (const { word, samples, more } of sectionsOf(row)) {
      const urls = samples.map(({ url, reason }) => (reason === undefined ? url : `${url} (${reason})`));
      lines.push(`  ${word}:`, ...[...urls, ...more].map((line) => `    ${line}`));
    }
    lines.push("");
  }
  for (const note of notes) lines.push(`${note.heading}:`, ...note.lines.map((line) => `  ${line}`), "");
  return `${lines.join("\n").trimEnd()}\n`;
}

function renderHtml({ day, figures, titles, notes }: DailyReport): string {
  return mailHtml(html`<h1 style="font-size: 1.3em">Links on ${day}</h1>
${figures.length === 0 ? html`<p>${noChangesText}</p>` : figures.map((row) => collectionHtml(row, titles))}
${notes.map(noteHtml)}`);
}

function noteHtml({ heading, lines }: DailyNote) {
  return html`<h2 style="font-size: 1.1em">${heading}</h2>
<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
`;
}

function collectionHtml(row: DayFigures, titles: DailyReport["titles"]) {
  return html`<h2 style="font-size: 1.1em">${describeFigures(row, titles)}</h2>
${collectionLines(row).map((line) => html`<p>${line}</p>\n`)}${sectionsOf(row).map(
  ({ word, samples, more }) => html`<p><em>${word}</em></p>
<ul>${samples.map(({ url, reason }) => html`<li><a href="${url}">${url}</a>${reason && ` (${reason})`}</li>`)}${more.map((line) => html`<li>${line}</li>`)}</ul>
`,
)}`;
}
