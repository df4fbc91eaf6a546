import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { typedNumber } from "../../console/parts/form.ts";
import { outside } from "../../console/parts/outside.ts";
import { table } from "../../console/parts/table.ts";
import { sourceFields } from "../../records/sources/source-fields.ts";
import { proposalPages } from "./proposed-source.ts";

type Running = Extract<Answer<"GET /repository-checks/{id}">, { status: "running" }>;
type Report = Extract<Answer<"GET /repository-checks/{id}">, { status: "finished" }>;

const { title, sourceId, groupId, url, throttleMs, oai } = sourceFields;
const { metadataPrefix, set } = oai.fields;

/** Checks a repository before it becomes a source. */
export const checkRepositoryPages: readonly Page[] = proposalPages<Running, Report>({
  path: "/console/sources/check",
  words: ({ check }) => ({ title: check.title, explanation: check.explanation, button: check.start }),
  asked: ({ texts, language, url: { searchParams } }) => [
    {
      name: "url",
      label: texts.add.address,
      kind: "url",
      isRequired: true,
      value: searchParams.get("url") ?? "",
    },
    { name: "groupId", label: texts.sources.group, hint: texts.add.groupHint },
    { name: "metadataPrefix", label: metadataPrefix.label[language], isMore: true },
    { name: "set", label: set.label[language], hint: set.hint[language], isMore: true },
    { name: "pages", label: texts.check.pages, kind: "number", isMore: true },
  ],
  start: ({ api, form }) => {
    const { url = "", groupId = "", metadataPrefix = "", set = "", pages = "" } = form;
    const given = Object.entries({ groupId, metadataPrefix, set, pages }).flatMap(([name, text]) =>
      text.trim() === "" ? [] : [[name, name === "pages" ? typedNumber(text) : text.trim()]],
    );
    return api.send("POST /repository-checks", {}, { url: url.trim(), ...Object.fromEntries(given) });
  },
  result: (api, id) => api.get("/repository-checks/{id}", { id }),
  progress: ({ requests }, texts) => texts.check.asking(requests),
  shown: checkedView,
  proposed: ({ proposal }) => proposal?.source,
  fields: { title, sourceId, groupId, url, throttleMs, oai },
});

function checkedView(check: Report, request: PageRequest): Html {
  const { proposal } = check;
  return html`${reportView(check, request)}${
    proposal &&
    html`
<h2>${request.texts.check.proposal}</h2>${reasonsView(proposal, request)}
`
  }`;
}

function reportView(check: Report, request: PageRequest): Html {
  const { texts, language } = request;
  const { list, findings, metadata } = check;
  const columns: Column<Report["findings"][number]>[] = [
    {
      head: texts.check.severity,
      cell: ({ severity, section }) => outside(section, texts.check.severities[severity]),
    },
    {
      head: texts.check.seen,
      cell: ({ id, seen, times }) =>
        html`<strong>${id}</strong><br>${seen}${times > 1 ? html` (${texts.check.times(times)})` : ""}`,
    },
    { head: texts.check.rule, cell: ({ rule }) => rule[language] },
    { head: texts.check.effect, cell: ({ effect }) => effect[language] },
  ];
  return html`${check.complete ? "" : html`<p class="error">${texts.check.stopped(check.reason ?? "")}</p>`}
<p>${texts.check.list(list.records, list.deleted, list.pages)} ${list.whole ? "" : texts.check.part} ${list.announced === undefined ? "" : texts.check.announced(list.announced)}</p>
<h2>${texts.check.findings}</h2>
${table({ request, caption: texts.check.findings, columns, rows: findings, empty: texts.check.none })}
${metadata.map((rating) => ratingView(rating, request))}`;
}

function ratingView(
  { metadataPrefix, records, fields }: Report["metadata"][number],
  request: PageRequest,
): Html {
  const { texts } = request;
  const caption = `${texts.check.metadata}: ${metadataPrefix}`;
  const columns: Column<(typeof fields)[number]>[] = [
    { head: texts.check.field, cell: ({ field }) => field },
    { head: "%", cell: (row) => Math.floor((100 * row.records) / records), isNumber: true },
  ];
  return html`<h2>${caption}</h2>${table({ request, caption, columns, rows: fields, empty: "" })}`;
}

function reasonsView(
  { reasons }: NonNullable<Report["proposal"]>,
  { texts, language }: PageRequest,
): Html | "" {
  if (reasons.length === 0) return "";
  return html`<p>${texts.check.because}:</p><ul>${reasons.map(({ setting, why }) => html`<li><code>${setting}</code>: ${why[language]}</li>`)}</ul>`;
}
