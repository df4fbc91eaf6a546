import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { pathOf, withQuery } from "../api.ts";
import type { Html, PageRequest } from "../page.ts";
import { figure } from "../texts/figure.ts";

export type Run = Answer<"GET /runs">["runs"][number];

export const isRunning = ({ state }: Run) => state !== "finished" && state !== "failed";

/** Renders the figures of a run. Each figure links to the list of what it counts. */
export function runFigures(run: Run, request: PageRequest): Html {
  const { figures } = run;
  if (!figures) return html``;
  const { texts } = request;
  const to = (outcome?: string) => withQuery(pathOf`/console/runs/${run.runId}`, { outcome });
  const shown: [number, string, string][] = [
    [figures.listed, texts.run.listed, to()],
    [figures.delivered, texts.run.delivered, withQuery("/console/deliveries", { q: run.runId })],
    [figures.refused, texts.run.refused, withQuery("/console/refused", { mode: run.deliveryMode })],
    [figures.onlineFirst, texts.run.onlineFirst, to("onlineFirst")],
    [figures.unusable, texts.run.unusable, to("unusable")],
    [figures.unreachable, texts.run.unreachable, to("unreachable")],
    [figures.undelivered, texts.run.undelivered, to("undelivered")],
    [figures.duplicates ?? 0, texts.run.duplicates, to("duplicates")],
    [figures.known ?? 0, texts.run.known, to("known")],
    [figures.unanswered ?? 0, texts.run.unanswered, to("unanswered")],
  ];
  return html`<ul class="figures">${shown.map(
    ([count, label, address]) => html`<li><a href="${address}"><b>${figure(count)}</b> ${label}</a></li>`,
  )}</ul>`;
}
