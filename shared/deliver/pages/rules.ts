import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { ApiRefusal, withQuery } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { matchesFilter, wholeList } from "../../console/parts/table.ts";
import { choiceTexts } from "../../console/parts/table-form.ts";
import type { FieldRow } from "../../core/field-table.ts";
import { validationRuleBody } from "../routes/validation-rule-body.ts";

export type Rule = Answer<"GET /validation-rules">["rules"][number];

/** A rule as it was entered. Its fields are not checked. */
export type TypedRule = Pick<Rule, "source" | "tag" | "subfield" | "regex"> &
  Record<"recordType" | "presence", string>;

/** Returns the query that identifies a rule in an address or a form. */
export function ruleQuery({ source, recordType, tag, subfield }: Omit<TypedRule, "presence" | "regex">) {
  return { source: source ?? "", recordType, tag, subfield: subfield ?? "" };
}

/** Formats a field as `245 $a`. */
export function fieldText({ tag, subfield }: Pick<Rule, "tag" | "subfield">): string {
  return subfield === null || subfield === "" ? tag : `${tag} $${subfield}`;
}

/** The rules for all sources, or the rules that apply to one source, with the level that decides for each field. */
const rules: Page = {
  method: "GET",
  path: "/console/rules",
  audience: "viewer",
  section: "rules",
  isEntry: true,
  answer: async (request) => {
    const { api, texts, url } = request;
    const source = (url.searchParams.get("source") ?? "").trim();
    const type = url.searchParams.get("type") ?? "";
    const own = source === "" ? [] : await rulesOf(source, request);
    const all = await api.all("/validation-rules", "rules", { limit: 5000 });
    const general = all.filter((rule) => rule.source === null);
    const rows = [...own, ...general]
      .map((rule) => ({ ...rule, isOverridden: rule.source === null && isDecidedBy(own, rule) }))
      .filter((rule) => type === "" || rule.recordType === type)
      .filter((rule) => matchesFilter(request, fieldText(rule), rule.regex ?? "", rule.source ?? ""))
      .sort((a, b) => compare(a.tag, b.tag) || compare(a.recordType, b.recordType));
    const { recordType } = validationRuleBody.subject;
    const types = choiceTexts(recordType, request.language);
    return wholeList({
      request,
      title: texts.rules.title,
      fileName: "rules.csv",
      caption: texts.rules.title,
      columns: columns(request),
      rows,
      link: (rule) => withQuery("/console/rules/edit", ruleQuery(rule)),
      empty: all.length === 0 ? texts.rules.empty : texts.rules.noneForAll,
      filter: {
        label: texts.rules.filter,
        choices: [
          {
            name: "type",
            label: recordType.label[request.language],
            options: { "": texts.rules.allTypes, ...types },
          },
        ],
      },
      around: (shown) => html`
<div class="heading"><h1>${source === "" ? texts.rules.title : texts.rules.ofSource(source)}</h1>
<div class="actions">${mayActAs(request.caller.role, "operator") ? html`<a class="button main" href="${withQuery("/console/rules/edit", { source })}">${texts.rules.add}</a>` : ""}</div></div>
<p>${texts.rules.explanation}</p>
<form class="filter" method="get" action="/console/rules" aria-label="${texts.rules.ofOne}"><label>${validationRuleBody.subject.source.label[request.language]} <input name="source" value="${source}"></label><button>${texts.rules.show}</button>${source === "" ? "" : html`<a href="/console/rules">${texts.rules.forAll}</a>`}</form>
${source === "" ? sourcesWithRules(all, request) : ""}${shown}`,
    });
  },
};

/** Lists the sources that have separate rules, each with the number of its rules. */
function sourcesWithRules(rules: readonly Rule[], { texts }: PageRequest): Html {
  const counts = new Map<string, number>();
  for (const { source } of rules) if (source !== null) counts.set(source, (counts.get(source) ?? 0) + 1);
  if (counts.size === 0) return html``;
  return html`<p>${texts.rules.ofTheirOwn} ${[...counts].map(([source, count]) => html`<a href="${withQuery("/console/rules", { source })}">${source}</a> (${count}) `)}</p>`;
}

/** Returns the rules of a source; an empty list for a source that has never had any. */
async function rulesOf(source: string, { api }: PageRequest): Promise<Rule[]> {
  const found = await api.send("GET /validation-rules", { source, limit: 5000 });
  if (!found.ok) throw new ApiRefusal(found.problem);
  return found.body.rules;
}

/**
 * Returns whether the source's own rules decide for the field, so that the general rule is left out for this source.
 */
function isDecidedBy(own: readonly Rule[], { tag, recordType }: Rule): boolean {
  return own.some((rule) => rule.tag === tag && rule.recordType === recordType);
}

function columns({ texts, language }: PageRequest): Column<Rule & { isOverridden: boolean }>[] {
  const { recordType, presence, regex } = validationRuleBody.fields;
  const choice = (row: FieldRow, value: string) => choiceTexts(row, language)[value] ?? value;
  return [
    { head: texts.rules.field, cell: fieldText },
    { head: recordType.label[language], cell: (rule) => choice(recordType, rule.recordType) },
    { head: presence.label[language], cell: (rule) => choice(presence, rule.presence) },
    {
      head: regex.label[language],
      cell: ({ regex }) => (regex === null ? "" : html`<code>${regex}</code>`),
      csv: ({ regex }) => regex ?? "",
    },
    {
      head: texts.rules.holdsFor,
      cell: ({ source, isOverridden }) =>
        html`${source ?? texts.rules.forAll}${isOverridden ? html` <span class="quiet">${texts.rules.overridden}</span>` : ""}`,
      csv: ({ source }) => source ?? "",
    },
  ];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export const rulePages: readonly Page[] = [rules];
