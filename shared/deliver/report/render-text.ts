import type { ReportView, SourceView } from "./report-view.ts";

/** Renders a report as plain text. */
export function renderText(view: ReportView): string {
  const { summary, outage, late, stopped, files, quality, sources, overdue } = view;
  return [
    summary,
    "",
    ...(outage === undefined ? [] : [outage, ""]),
    ...(late === undefined ? [] : [late, ""]),
    ...(stopped === undefined
      ? []
      : [
          `The delivery stopped at ${stopped.stage}: ${stopped.reason}`,
          "The next start resumes at this stage: see delivery-stopped in the runbook.",
          "",
        ]),
    "FILES",
    ...orNone(
      files.flatMap(({ name, url, holds }) => [
        `  ${name}: ${holds}`,
        ...(url === undefined ? [] : [`    ${url}`]),
      ]),
    ),
    "",
    ...(quality.length === 0
      ? []
      : [
          "QUALITY",
          ...quality.flatMap(({ text, url }) => [`  ${text}`, ...(url ? [`    ${url}`] : [])]),
          "",
        ]),
    "SOURCES",
    ...orNone(sources.flatMap(sourceLines)),
    "",
    "OVERDUE",
    ...orNone(overdue.map((line) => `  ${line}`)),
    "",
  ].join("\n");
}

function sourceLines({ title, failed, counts, note, lists }: SourceView): string[] {
  if (failed !== undefined) return [`  ${title}: FAILED: ${failed}`];
  return [
    `  ${title}: ${counts}`,
    ...(note === undefined ? [] : [`    Note: ${note}`]),
    ...lists.flatMap(({ heading, misses, more }) => [
      `    ${heading}:`,
      ...misses.map(
        ({ what, url, reason }) =>
          `      - ${what}${url !== "" && url !== what ? ` <${url}>` : ""}: ${reason}`,
      ),
      ...(more > 0 ? [`      - … and ${more} more`] : []),
    ]),
  ];
}

function orNone(lines: string[]): string[] {
  return lines.length === 0 ? ["  None."] : lines;
}
