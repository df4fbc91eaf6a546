import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { sizeText } from "../../console/parts/size.ts";
import { matchesFilter, table, wholeList } from "../../console/parts/table.ts";
import { localDay, localeOf, time } from "../../console/parts/time.ts";
import { figure } from "../../console/texts/figure.ts";

export type Delivery = Answer<"GET /deliveries">["deliveries"][number];

type WaitingFile = Answer<"GET /deliveries/waiting">["files"][number];

type Today = Answer<"GET /today">;

/** The maximum number of files that are read: those of half a year of daily runs for several groups. */
export const maxFiles = 500;

/** The deliveries by day, the files, and the files that have not been sent. */
const deliveries: Page = {
  method: "GET",
  path: "/console/deliveries",
  audience: "viewer",
  section: "deliveries",
  isEntry: true,
  answer: async (request) => {
    const { api, texts, url } = request;
    const [{ deliveries: files }, { files: waiting }, today] = await Promise.all([
      api.get("/deliveries", { limit: maxFiles }),
      api.get("/deliveries/waiting", { limit: maxFiles }),
      api.get("/today", {}),
    ]);
    const day = url.searchParams.get("day") ?? "";
    const mode = url.searchParams.get("mode") ?? "";
    const dayOf = ({ deliveredAt }: Delivery) => localDay(new Date(deliveredAt), request.zone);
    const rows = files
      .filter((file) => (day === "" || dayOf(file) === day) && (mode === "" || file.deliveryMode === mode))
      .filter(({ fileName, groupId, runId }) => matchesFilter(request, fileName, groupId, runId));
    // A run that stopped before its files were written has no waiting file.
    const stopped = today.needs
      .filter((need) => need.type === "run-failed")
      .filter(({ runId }) => waiting.every((file) => file.runId !== runId));
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
<div class="heading"><h1>${texts.deliveries.title}</h1><div class="actions"><a class="button" href="/console/reconversions">${texts.reconversions.title}</a><a class="button" href="/console/archive">${texts.archive.title}</a></div></div>
${stopped.map(
  ({ runId, stage, reason }) =>
    html`<p class="error">${texts.deliveries.stopped(stage, reason)} <a href="${pathOf`/console/runs/${runId}`}">${texts.today.look}</a></p>`,
)}
${waiting.length === 0 ? "" : waitingPart(waiting, today, request)}
${calendar(files, dayOf, request)}
<h2>${day === "" ? texts.deliveries.files : texts.deliveries.filesOf(day)}</h2>
${day === "" ? "" : html`<p><a href="/console/deliveries">${texts.deliveries.allDays}</a></p>`}
${shown}`,
    });
  },
};

/** Lists the files that their receivers do not have, with the reason and the time of the next attempt. */
function waitingPart(files: readonly WaitingFile[], { nextRuns }: Today, request: PageRequest): Html {
  const { texts } = request;
  const words = texts.deliveries;
  const next = (mode: string) => nextRuns.find((run) => run.mode === mode)?.at;
  return html`<h2>${words.waiting}</h2>
<p>${words.waitingText}</p>
${table({
  request,
  caption: words.waiting,
  columns: [
    { head: words.file, cell: ({ fileName }: WaitingFile) => fileName },
    { head: texts.sources.group, cell: ({ groupId }) => groupId },
    { head: texts.refused.records, isNumber: true, cell: ({ records }) => figure(records) },
    { head: words.why, cell: ({ failure }) => failure?.reason ?? words.underWay },
    {
      head: words.since,
      cell: ({ failure, runStartedAt }) => time(failure?.at ?? runStartedAt, request),
    },
    {
      head: words.next,
      cell: ({ failure, deliveryMode }) => {
        const at = failure === undefined ? undefined : next(deliveryMode);
        return at === undefined ? "" : time(at, request);
      },
    },
  ],
  rows: files,
  link: ({ runId }) => pathOf`/console/runs/${runId}`,
  empty: "",
})}`;
}

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

const shownWeeks = 5;

/**
 * A calendar of the last weeks, Monday first, with the number of records delivered on each day. Each day links to its
 * files.
 */
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

export const deliveryListPages: readonly Page[] = [deliveries];
