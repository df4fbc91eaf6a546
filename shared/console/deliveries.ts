import { html } from "hono/html";
import { mayActAs } from "../api/role.ts";
import { ApiRefusal, pathOf, withQuery } from "./api.ts";
import type { Html, Page, PageRequest } from "./page.ts";
import { action } from "./parts/action.ts";
import type { Column } from "./parts/column.ts";
import { state } from "./parts/state.ts";
import { matchesFilter, wholeList } from "./parts/table.ts";
import { localDay, localeOf, time } from "./parts/time.ts";
import { figure } from "./texts/figure.ts";

interface Delivery {
  deliveryId: string;
  groupId: string;
  fileName: string;
  runId: string;
  deliveryMode: "LIVE" | "TEST";
  records: number;
  sizeBytes: number;
  deliveredAt: string;
}

interface Resend {
  status: "waiting" | "sent" | "failed";
  by: string;
  requestedAt: string;
  endedAt?: string;
  reason?: string;
  remark?: string;
}

/** Files of half a year of daily runs for several groups. */
const maxFiles = 500;

/** What was delivered, by day; the files, and what has not gone out. */
const deliveries: Page = {
  method: "GET",
  path: "/console/deliveries",
  audience: "viewer",
  section: "deliveries",
  isEntry: true,
  answer: async (request) => {
    const { api, texts, url } = request;
    const [{ deliveries: files }, { needs }] = await Promise.all([
      api.get<{ deliveries: Delivery[] }>("/deliveries", { limit: maxFiles }),
      api.get<{ needs: { type: string; runId?: string; stage?: string; reason?: string }[] }>("/today"),
    ]);
    const day = url.searchParams.get("day") ?? "";
    const mode = url.searchParams.get("mode") ?? "";
    const dayOf = ({ deliveredAt }: Delivery) => localDay(new Date(deliveredAt), request.zone);
    const rows = files
      .filter((file) => (day === "" || dayOf(file) === day) && (mode === "" || file.deliveryMode === mode))
      .filter(({ fileName, groupId, runId }) => matchesFilter(request, fileName, groupId, runId));
    const stopped = needs.filter(({ type }) => type === "run-failed");
    return wholeList({
      request,
      title: texts.deliveries.title,
      fileName: "deliveries.csv",
      caption: texts.deliveries.files,
      columns: fileColumns(request),
      rows,
      link: ({ deliveryId }) => pathOf`/console/deliveries/${deliveryId}`,
      empty: texts.deliveries.empty,
      filter: {
        label: texts.deliveries.filter,
        choices: [
          {
            name: "mode",
            label: texts.sources.mode,
            options: {
              "": texts.sources.allModes,
              LIVE: texts.sources.modes.LIVE,
              TEST: texts.sources.modes.TEST,
            },
          },
        ],
      },
      around: (shown) => html`
<div class="heading"><h1>${texts.deliveries.title}</h1><div class="actions"><a class="button" href="/console/archive">${texts.archive.title}</a></div></div>
${stopped.map(
  ({ runId = "", stage = "", reason = "" }) =>
    html`<p class="error">${texts.deliveries.stopped(stage, reason)} <a href="${pathOf`/console/runs/${runId}`}">${texts.today.look}</a></p>`,
)}
${calendar(files, dayOf, request)}
<h2>${day === "" ? texts.deliveries.files : texts.deliveries.filesOf(day)}</h2>
${day === "" ? "" : html`<p><a href="/console/deliveries">${texts.deliveries.allDays}</a></p>`}
${shown}`,
    });
  },
};

function fileColumns(request: PageRequest): Column<Delivery>[] {
  const { texts } = request;
  return [
    { head: texts.deliveries.file, cell: ({ fileName }) => fileName },
    { head: texts.sources.group, cell: ({ groupId }) => groupId },
    { head: texts.sources.mode, cell: ({ deliveryMode }) => texts.sources.modes[deliveryMode] },
    {
      head: texts.refused.records,
      isNumber: true,
      cell: ({ records }) => figure(records),
      csv: ({ records }) => records,
    },
    {
      head: texts.deliveries.size,
      isNumber: true,
      cell: ({ sizeBytes }) => sizeText(sizeBytes),
      csv: ({ sizeBytes }) => sizeBytes,
    },
    {
      head: texts.deliveries.at,
      cell: ({ deliveredAt }) => time(deliveredAt, request),
      csv: ({ deliveredAt }) => deliveredAt,
    },
  ];
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${figure(Math.ceil(bytes / 1000))} kB`
    : `${figure(Math.round(bytes / 1_000_000))} MB`;
}

const shownWeeks = 5;

/** The last weeks, Monday first: how many records went out on each day. A day leads to its files. */
function calendar(files: readonly Delivery[], dayOf: (file: Delivery) => string, request: PageRequest): Html {
  const { texts, zone, now, language } = request;
  const perDay = new Map<string, number>();
  for (const file of files) perDay.set(dayOf(file), (perDay.get(dayOf(file)) ?? 0) + file.records);
  const today = localDay(now, zone);
  const weekday = (new Date(`${today}T12:00:00Z`).getUTCDay() + 6) % 7;
  const dayAt = (offset: number) => {
    const at = new Date(Date.parse(`${today}T12:00:00Z`) + offset * 86_400_000);
    return at.toISOString().slice(0, 10);
  };
  const weeks = Array.from({ length: shownWeeks }, (_, week) =>
    Array.from({ length: 7 }, (_each, index) => dayAt(index - weekday - 7 * (shownWeeks - 1 - week))),
  );
  const head = new Intl.DateTimeFormat(localeOf(language), { weekday: "short", timeZone: "UTC" });
  const monthDay = new Intl.DateTimeFormat(localeOf(language), {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  const firstDay = weeks[0]?.[0];
  const cell = (day: string) => {
    const count = perDay.get(day);
    const name = monthDay.format(new Date(`${day}T12:00:00Z`));
    const shown = day === firstDay || day.endsWith("-01") ? name : String(Number(day.slice(-2)));
    if (count === undefined) return html`<td><span class="quiet">${day <= today ? shown : ""}</span></td>`;
    const label = texts.deliveries.day(name, count);
    return html`<td><a href="${withQuery("/console/deliveries", { day })}"><span class="hidden">${label}</span><span aria-hidden="true">${shown}<br><b>${figure(count)}</b></span></a></td>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${texts.deliveries.calendar}"><table class="calendar">
<caption class="hidden">${texts.deliveries.calendar}</caption>
<thead><tr>${(weeks[0] ?? []).map((day) => html`<th scope="col">${head.format(new Date(`${day}T12:00:00Z`))}</th>`)}</tr></thead>
<tbody>${weeks.map((week) => html`<tr>${week.map(cell)}</tr>`)}</tbody></table></div>`;
}

/** One file: downloaded, or sent to its receiver again. */
const delivery: Page = {
  method: "GET",
  path: "/console/deliveries/{id}",
  audience: "viewer",
  section: "deliveries",
  answer: async (request) => {
    const { api, params, texts } = request;
    const id = params.id ?? "";
    const file = (
      await api.get<{ deliveries: Delivery[] }>("/deliveries", { limit: maxFiles })
    ).deliveries.find(({ deliveryId }) => deliveryId === id);
    if (file === undefined) throw new ApiRefusal({ status: 404, detail: texts.deliveries.unknown });
    const [download, resend] = await Promise.all([
      api.send("GET", pathOf`/deliveries/${id}/file`),
      api.send<Resend>("GET", pathOf`/deliveries/${id}/resend`),
    ]);
    const address = download.ok ? download.headers.location : undefined;
    const last = resend.ok ? resend.body : undefined;
    const body = html`
<p><a href="/console/deliveries">${texts.deliveries.title}</a></p>
<div class="heading"><h1>${file.fileName}</h1><div class="actions">
${address ? html`<a class="button main" href="${address}">${texts.deliveries.download}</a>` : ""}
${
  mayActAs(request.caller.role, "operator")
    ? action({
        request,
        to: pathOf`/console/deliveries/${id}`,
        label: texts.deliveries.resend,
        confirm: texts.deliveries.resendConfirm(file.groupId),
      })
    : ""
}</div></div>
${last ? resendState(last, request) : ""}
<dl class="pairs">${fileFacts(file, request).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
    return { title: file.fileName, body, live: last?.status === "waiting" };
  },
};

function fileFacts(file: Delivery, request: PageRequest): [string, Html | string][] {
  const { texts } = request;
  return [
    [texts.sources.group, file.groupId],
    [texts.sources.mode, texts.sources.modes[file.deliveryMode]],
    [texts.refused.records, figure(file.records)],
    [texts.deliveries.size, sizeText(file.sizeBytes)],
    [texts.deliveries.at, html`${time(file.deliveredAt, request)}`],
    [texts.run.title, html`<a href="${pathOf`/console/runs/${file.runId}`}">${file.runId}</a>`],
  ];
}

function resendState(
  { status, by, requestedAt, endedAt, reason, remark }: Resend,
  request: PageRequest,
): Html {
  const { texts } = request;
  const shown = { waiting: "waiting", sent: "delivered", failed: "failed" }[status];
  return html`<p role="status">${texts.deliveries.resent} ${state(shown, texts)} ${time(endedAt ?? requestedAt, request)}, ${by}${reason ? `: ${reason}` : ""}${remark ? `: ${remark}` : ""}</p>`;
}

const resend: Page = {
  method: "POST",
  path: "/console/deliveries/{id}",
  audience: "operator",
  section: "deliveries",
  answer: async (request) => {
    const { api, params, texts } = request;
    const id = params.id ?? "";
    const asked = await api.send("POST", pathOf`/deliveries/${id}/resend`);
    if (!asked.ok) throw new ApiRefusal(asked.problem);
    return { redirect: pathOf`/console/deliveries/${id}`, notice: { text: texts.deliveries.resending } };
  },
};

export const deliveryPages: readonly Page[] = [deliveries, delivery, resend];
