import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { ApiRefusal, pathOf } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { barChart } from "../../console/parts/chart.ts";
import { state } from "../../console/parts/state.ts";
import { table } from "../../console/parts/table.ts";
import { time } from "../../console/parts/time.ts";
import { figure } from "../../console/texts/figure.ts";
import { checksNeed } from "./need-sentence.ts";

type HostStatus = Answer<"GET /hosts/{host}">;

type DayStatistics = Answer<"GET /hosts/{host}/statistics">["days"][number];

/** A search for a host, and the list of hosts that currently get no requests. */
const hosts: Page = {
  method: "GET",
  path: "/console/hosts",
  audience: "viewer",
  section: "hosts",
  isEntry: true,
  answer: async (request) => {
    const { api, texts, url } = request;
    const wanted = (url.searchParams.get("host") ?? "").trim();
    if (wanted !== "") return { redirect: pathOf`/console/hosts/${hostOf(wanted)}` };
    const { needs } = await api.get("/today", {});
    const rows = needs.filter(
      (need) =>
        need.type === "host-unavailable" || need.type === "host-paused" || need.type === "host-overbooked",
    );
    const shown = table({
      request,
      caption: texts.hosts.unavailable,
      columns: [
        { head: texts.hosts.host, cell: ({ hostKey }) => hostKey },
        {
          head: texts.hosts.reason,
          cell: (need) => (need.type === "host-overbooked" ? overbooked(need, request) : need.reason),
        },
        {
          head: texts.hosts.until,
          cell: (need) => {
            if (need.type === "host-overbooked") return "";
            return need.type === "host-unavailable" ? time(need.until, request) : state("paused", texts);
          },
        },
      ],
      rows,
      link: ({ hostKey }) => pathOf`/console/hosts/${hostKey}`,
      empty: texts.hosts.allAvailable,
    });
    const body = html`<div class="heading"><h1>${texts.sections.hosts}</h1></div>
<form class="filter" method="get" role="search"><label>${texts.hosts.find} <input type="search" name="host" placeholder="journal.example"></label><button>${texts.hosts.open}</button></form>
<h2>${texts.hosts.unavailable}</h2>${shown}`;
    return { title: texts.sections.hosts, body };
  },
};

/** Returns the host of an address, or the text that was entered. */
function hostOf(text: string): string {
  return URL.parse(text)?.host || text.toLowerCase();
}

/** One host: when it may be requested, what its robots.txt permits, and its requests per day. */
const host: Page = {
  method: "GET",
  path: "/console/hosts/{host}",
  audience: "viewer",
  section: "hosts",
  answer: async (request) => {
    const { api, texts, params } = request;
    const asked = { host: params.host ?? "" };
    const [status, { days }] = await Promise.all([
      api.get("/hosts/{host}", asked),
      api.get("/hosts/{host}/statistics", asked),
    ]);
    const shown = status.paused ? "paused" : status.unavailable.length > 0 ? "unavailable" : "up";
    const body = html`<div class="heading"><h1>${status.host} ${state(shown, texts)}</h1><div class="actions">${pauseAction(status, request)}</div></div>
${status.paused ? html`<p class="warning">${texts.hosts.pausedBy(status.paused.by, status.paused.reason)} (${time(status.paused.since, request)})</p>` : ""}
${status.unavailable.map(({ what, until, reason }) => html`<p class="warning">${what}: ${reason} (${texts.hosts.until} ${time(until, request)})</p>`)}
${status.overbooked ? html`<p class="warning">${overbooked(status.overbooked, request)}</p>` : ""}
<dl class="pairs">
<dt>${texts.hosts.lastRequest}</dt><dd>${time(status.lastRequestAt, request)}</dd>
<dt>${texts.hosts.nextRequest}</dt><dd>${status.nextAllowedAt ? html`${time(status.nextAllowedAt, request)} (${texts.hosts.waits[status.waitReason ?? "delay"]})` : texts.hosts.now}</dd>
<dt>${texts.hosts.failures}</dt><dd>${figure(status.failures)}</dd>
</dl>
<h2>robots.txt</h2>
${status.robots.length === 0 ? html`<p class="empty">${texts.hosts.noRobots}</p>` : html`<ul>${status.robots.map((each) => robotsRow(each, request))}</ul>`}
<h2>${texts.hosts.perDay}</h2>
${days.length === 0 ? html`<p class="empty">${texts.hosts.noDays}</p>` : dayParts(days, request)}`;
    return { title: status.host, body };
  },
};

/** Describes the time that the link checks on a host need. */
function overbooked(need: NonNullable<HostStatus["overbooked"]>, request: PageRequest): string {
  return request.texts.hosts.overbooked(checksNeed(need, request), need.collections, need.links);
}

function pauseAction({ host, paused }: HostStatus, request: PageRequest): Html {
  if (!mayActAs(request.caller.role, "operator")) return html``;
  const { texts } = request;
  const to = pathOf`/console/hosts/${host}`;
  return paused
    ? action({ request, to, label: texts.hosts.resume, fields: { act: "resume" } })
    : action({
        request,
        to,
        label: texts.hosts.pause,
        fields: { act: "pause" },
        confirm: texts.hosts.pauseConfirm,
        needsReason: true,
      });
}

/** Pauses a host, or ends its pause. */
const pause: Page = {
  method: "POST",
  path: "/console/hosts/{host}",
  audience: "operator",
  section: "hosts",
  answer: async (request) => {
    const { api, form, params, texts } = request;
    const { host = "" } = params;
    const to = pathOf`/console/hosts/${host}`;
    const isPause = form.act === "pause";
    const done = isPause
      ? await api.send("PUT /hosts/{host}/pause", { host }, { reason: form.reason ?? "" })
      : await api.send("DELETE /hosts/{host}/pause", { host });
    if (!done.ok) throw new ApiRefusal(done.problem);
    if (!isPause) return { redirect: to, notice: { text: texts.hosts.resumed } };
    return { redirect: to, notice: { text: texts.hosts.paused, undo: { to, fields: { act: "resume" } } } };
  },
};

function robotsRow(
  { origin, access, fetchedAt, crawlDelayMs, reason, text }: HostStatus["robots"][number],
  request: PageRequest,
): Html {
  const { texts } = request;
  return html`<li>${origin}: ${texts.hosts.robots[access]}${reason ? html` (${reason})` : ""}${
    crawlDelayMs === undefined ? "" : html`, ${texts.hosts.crawlDelay((crawlDelayMs / 1000).toString())}`
  }${fetchedAt ? html` <span class="quiet">${texts.hosts.read} ${time(fetchedAt, request)}</span>` : ""}${text === undefined ? "" : html`<details><summary>${texts.hosts.asRead}</summary><pre tabindex="0">${text}</pre></details>`}</li>`;
}

const shownDays = 30;

function dayParts(days: DayStatistics[], request: PageRequest): Html {
  const { texts } = request;
  const total = days.reduce((sum, { requests }) => sum + requests, 0);
  const requestsOf = new Map(days.map(({ day, requests }) => [day, requests]));
  // The API omits days without requests.
  const all = Array.from({ length: shownDays }, (_, index) =>
    new Date(request.now.getTime() - (shownDays - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
  return html`<p>${barChart(
    all.map((day) => ({ label: day, value: requestsOf.get(day) ?? 0 })),
    { summary: texts.hosts.chart(figure(total)) },
  )}</p>
${table({
  request,
  caption: texts.hosts.perDay,
  columns: [
    { head: texts.hosts.day, cell: ({ day }) => day },
    { head: texts.hosts.requests, cell: ({ requests }) => figure(requests), isNumber: true },
    { head: texts.hosts.answers, cell: ({ statuses }) => countsOf(statuses) },
    { head: texts.hosts.failed, cell: ({ failures }) => countsOf(failures) },
    { head: "MB", cell: ({ bytes }) => (bytes / 1_000_000).toFixed(1), isNumber: true },
  ],
  rows: days.toReversed(),
  empty: texts.hosts.noDays,
})}`;
}

/** Formats counts: `2xx 12, 4xx 1`. */
function countsOf(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}

export const hostPages: readonly Page[] = [hosts, host, pause];
