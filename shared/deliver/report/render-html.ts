import { html } from "hono/html";
import { mailHtml } from "../../core/mail-html.ts";
import type { ReportView, SourceView } from "./report-view.ts";

/** Renders a report as a mail in HTML. */
export function renderHtml(
  { summary, outage, late, stopped, files, quality, sources, overdue }: ReportView,
  heading: string,
): string {
  return mailHtml(html`<h1 style="font-size: 1.3em">${heading}</h1>
<p>${summary}</p>
${outage && html`<p style="color: #a00"><strong>${outage}</strong></p>`}
${late && html`<p><strong>${late}</strong></p>`}
${stopped && html`<p style="color: #a00"><strong>The delivery stopped at ${stopped.stage}:</strong> ${stopped.reason}. The next start resumes at this stage: see <em>delivery-stopped</em> in the runbook.</p>`}
<h2 style="font-size: 1.1em">Files</h2>
${list(files.map(({ name, url, holds }) => html`${url === undefined ? name : html`<a href="${url}">${name}</a>`}: ${holds}`))}
${
  quality.length > 0 &&
  html`<h2 style="font-size: 1.1em">Quality</h2>
${list(quality.map(({ text, url }) => (url === undefined ? text : html`<a href="${url}">${text}</a>`)))}`
}
<h2 style="font-size: 1.1em">Sources</h2>
${list(sources.map(sourceHtml))}
<h2 style="font-size: 1.1em">Overdue</h2>
${list(overdue)}`);
}

function sourceHtml({ title, failed, counts, note, lists }: SourceView) {
  if (failed !== undefined) {
    return html`<strong>${title}</strong>: <span style="color: #a00">failed</span>: ${failed}`;
  }
  return html`<strong>${title}</strong>: ${counts}
${note && html`<br>Note: ${note}`}
${lists.map(
  ({ heading, misses, more }) => html`<br><em>${heading}</em>
${list([
  ...misses.map(
    ({ what, url, reason }) => html`${url === "" ? what : html`<a href="${url}">${what}</a>`}: ${reason}`,
  ),
  ...(more > 0 ? [`… and ${more} more`] : []),
])}`,
)}`;
}

function list(items: unknown[]) {
  return items.length === 0
    ? html`<p>None.</p>`
    : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}
