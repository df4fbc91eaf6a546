import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { type ApiProblem, ApiRefusal, ifUnchanged, pathOf, withQuery } from "../../console/api.ts";
import type { Html, Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { form } from "../../console/parts/form.ts";
import { refusedFormStatus, takesStoredVersion } from "../../console/parts/refused-form.ts";
import { state } from "../../console/parts/state.ts";
import { table } from "../../console/parts/table.ts";
import { fieldPairs, fieldsOf, sentValues, typedThing } from "../../console/parts/table-form.ts";
import type { FieldTable } from "../../core/field-table.ts";
import { validationRuleBody } from "../routes/validation-rule-body.ts";
import { fieldText, ruleQuery, type TypedRule } from "./rules.ts";

const to = "/console/rules/edit";
/** The number of records on which a changed rule is tried. */
const triedRecords = 100;

type StoredRule = Answer<"GET /validation-rules">["rules"][number];

type Trial = Answer<"POST /validation-rules/try">;

/** The form for changing or adding a rule. */
const edit: Page = {
  method: "GET",
  path: to,
  audience: "viewer",
  section: "rules",
  answer: async (request) => editPage(request, { stored: await storedRule(namedBy(request), request) }),
};

/** Tries the rule of the form on the latest records, saves it, or deletes it. */
const change: Page = {
  method: "POST",
  path: to,
  audience: "operator",
  section: "rules",
  answer: async (request) => {
    const { form: sent, api } = request;
    const stored = await storedRule(subjectSent(sent), request);
    const rule = ruleSent(sent, stored);
    if (sent.act === "delete") return deleteRule(rule, stored, request);
    if (sent.act === "try") {
      const body = { put: [rule], last: triedRecords, ...(rule.source !== null && { source: rule.source }) };
      const trial = await api.send("POST /validation-rules/try", {}, body);
      return trial.ok
        ? editPage(request, { stored, trial: trial.body })
        : editPage(request, { stored, problem: trial.problem });
    }
    const version = versionOf(rule, request);
    const headers = version === "" ? { "if-none-match": "*" } : ifUnchanged(version);
    const saved = await api.send("PUT /validation-rules", {}, rule, headers);
    if (!saved.ok) return editPage(request, { stored, problem: saved.problem });
    const { texts } = request;
    const text = [texts.rules.saved(fieldText(rule)), saved.body.warning].filter(Boolean).join(" ");
    const before =
      stored === undefined
        ? { ...ruleQuery(rule), act: "delete" }
        : { ...valuesOf(stored, request), act: "save" };
    const undo = { ...before, ...versionFields(rule, saved.body.etag) };
    return { redirect: listOf(rule), notice: { text, undo: { to, fields: undo } } };
  },
};

async function deleteRule(
  rule: TypedRule,
  stored: StoredRule | undefined,
  request: PageRequest,
): Promise<PageAnswer> {
  const { subfield, source, ...subject } = ruleQuery(rule);
  const query = { ...subject, ...(subfield && { subfield }), ...(source && { source }) };
  const version = ifUnchanged(versionOf(rule, request));
  const deleted = await request.api.send("DELETE /validation-rules", query, undefined, version);
  if (!deleted.ok) {
    if (stored === undefined) throw new ApiRefusal({ ...deleted.problem, status: 404 });
    return editPage(request, { stored, problem: deleted.problem });
  }
  const text = request.texts.rules.deleted(fieldText(rule));
  const fields = { ...valuesOf(stored ?? rule, request), act: "save", ...versionFields(rule, "") };
  return { redirect: listOf(rule), notice: { text, undo: { to, fields } } };
}

/** Returns the form fields with the ETag of a rule and the subject to which the ETag belongs. */
function versionFields(rule: TypedRule, version: string): Record<string, string> {
  return { version, versionOf: subjectOf(rule) };
}

/**
 * Returns the ETag of the rule that a form changes. It is empty if the subject was changed in the form, because the
 * form then adds another rule.
 */
function versionOf(rule: TypedRule, { form: sent }: PageRequest): string {
  return sent.versionOf === subjectOf(rule) ? (sent.version ?? "") : "";
}

function subjectOf(rule: TypedRule): string {
  return JSON.stringify(ruleQuery(rule));
}

function listOf({ source }: Pick<TypedRule, "source">): string {
  return withQuery("/console/rules", { source: source ?? "" });
}

/** Returns the subject in the fields of a form or in the query of an address. */
function subjectSent(sent: PageRequest["form"]): TypedRule {
  return ruleSent(sent, undefined, validationRuleBody.subject);
}

function namedBy({ url }: PageRequest): TypedRule {
  return subjectSent(Object.fromEntries(url.searchParams));
}

/** Returns the rule as it was entered. Fields that the form does not contain have their stored values. */
function ruleSent(
  sent: PageRequest["form"],
  stored: TypedRule | undefined,
  fields: FieldTable = validationRuleBody.fields,
): TypedRule {
  return { ...newRule, ...typedThing(fields, stored ?? {}, sent) };
}

const newRule: TypedRule = {
  source: null,
  recordType: "regular",
  tag: "",
  subfield: null,
  presence: "sometimes",
  regex: null,
};

/** Returns the rule as the form would send it. */
function valuesOf(rule: TypedRule, request: PageRequest): Record<string, string> {
  return sentValues(fieldsOf(validationRuleBody.fields, rule, request));
}

async function storedRule(named: TypedRule, { api }: PageRequest): Promise<StoredRule | undefined> {
  if (named.tag === "") return undefined;
  const { source, recordType, tag, subfield } = named;
  const query = { limit: 5000, ...(source !== null && { source }) };
  const found = await api.send("GET /validation-rules", query);
  if (!found.ok) return undefined;
  return found.body.rules.find(
    (rule) =>
      rule.source === source &&
      rule.recordType === recordType &&
      rule.tag === tag &&
      rule.subfield === subfield,
  );
}

function editPage(
  request: PageRequest,
  { stored, trial, problem }: { stored: StoredRule | undefined; trial?: Trial; problem?: ApiProblem },
): PageAnswer {
  const { texts, caller } = request;
  const { form: sent } = request;
  const isSent = sent.tag !== undefined;
  const named = stored ?? (isSent ? ruleSent(sent, stored) : namedBy(request));
  // A trial submits a form that has no problem.
  const version =
    !isSent || (problem !== undefined && takesStoredVersion(problem))
      ? versionFields(named, stored?.etag ?? "")
      : { version: sent.version ?? "", versionOf: sent.versionOf ?? "" };
  const title = stored === undefined ? texts.rules.newRule : texts.rules.ruleOf(fieldText(stored));
  const mayChange = mayActAs(caller.role, "operator");
  const body = html`
<p><a href="${listOf(named)}">${texts.rules.title}</a></p>
<div class="heading"><h1>${title}</h1>${
    stored !== undefined && mayChange
      ? action({
          request,
          to,
          label: texts.rules.delete,
          fields: { ...ruleQuery(stored), act: "delete", ...versionFields(stored, stored.etag) },
        })
      : ""
  }</div>
${mayChange ? ruleForm(request, named, { problem, version, isStored: stored !== undefined }) : readRule(named, request)}
${trial ? trialResult(trial, request) : ""}`;
  return { title, body, ...refusedFormStatus(problem) };
}

function ruleForm(
  request: PageRequest,
  rule: TypedRule,
  {
    problem,
    version,
    isStored,
  }: { problem: ApiProblem | undefined; version: Record<string, string>; isStored: boolean },
): Html {
  const { texts } = request;
  return form({
    request,
    to,
    button: texts.rules.save,
    problem,
    hidden: version,
    stored: isStored ? withQuery(to, ruleQuery(rule)) : undefined,
    // In a trial, the names of a rule's fields are preceded by a position in the list.
    problemField: (name) => name.split(".").at(-1) ?? name,
    beforeButton: html`<p><button name="act" value="try">${texts.rules.try(triedRecords)}</button></p>`,
    fields: fieldsOf(validationRuleBody.fields, rule, request),
  });
}

function readRule(rule: TypedRule, request: PageRequest): Html {
  const { texts } = request;
  return html`<p>${texts.rules.holdsFor}: ${rule.source ?? texts.rules.forAll}</p>${fieldPairs(validationRuleBody.ownFields, rule, request)}`;
}

function trialResult({ tried, refusedBefore, refusedAfter, changed }: Trial, request: PageRequest): Html {
  const { texts } = request;
  const { outcomes } = texts.rules;
  return html`<section aria-live="polite"><h2 id="trial">${texts.rules.trial(tried)}</h2>
<p>${texts.rules.trialText(refusedBefore, refusedAfter, changed.length)}</p>
${
  changed.length === 0
    ? ""
    : table({
        request,
        caption: texts.rules.trial(tried),
        columns: [
          { head: texts.record.title, cell: ({ title, url }: Trial["changed"][number]) => title || url },
          { head: texts.record.source, cell: ({ sourceId }) => sourceId },
          { head: texts.rules.before, cell: ({ before }) => state(outcomes[before] ?? before, texts) },
          { head: texts.rules.after, cell: ({ after }) => state(outcomes[after] ?? after, texts) },
          {
            head: texts.refused.why,
            cell: ({ findings }) => findings.map(({ reason }) => texts.reason(reason)).join("; "),
          },
        ],
        rows: changed,
        link: ({ recordId }) => pathOf`/console/records/${recordId}`,
        empty: "",
      })
}</section>`;
}

export const editRulePages: readonly Page[] = [edit, change];
