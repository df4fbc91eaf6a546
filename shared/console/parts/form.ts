import { html } from "hono/html";
import type { ApiProblem } from "../api.ts";
import type { Html, PageRequest } from "../page.ts";
import { type Field, typedValue } from "./field.ts";
import { versionConflict } from "./version-conflict.ts";

export interface FormParts {
  request: PageRequest;
  to: string;
  fields: readonly Field[];
  button: string;
  /** The problem that the API found in the sent form. It is shown at the top of the form and at its field. */
  problem?: ApiProblem | undefined;
  /** Returns the form's field for a field name of a problem, if the API uses another name. */
  problemField?: (field: string) => string;
  /**
   * The page with the stored version, on which users can discard their own changes after a 412. Absent when the stored
   * version has been deleted.
   */
  stored?: string | undefined;
  /** Fields that are not shown. */
  hidden?: Readonly<Record<string, string>>;
  /** Markup before the button. */
  beforeButton?: Html;
}

/**
 * Renders a form of labelled fields. After an error, the typed values are kept, and the error is shown at the top and
 * at its field.
 */
export function form(parts: FormParts): Html {
  const { request, to, fields, button, problem, hidden = {}, problemField = (name) => name } = parts;
  const wrong = problem?.field === undefined ? undefined : problemField(problem.field);
  const field =
    fields.find(({ name }) => name === wrong) ?? fields.find(({ name }) => wrong?.startsWith(`${name}.`));
  const more = fields.filter(({ isMore }) => isMore);
  const rowOf = (each: Field) => fieldRow(each, request, each === field ? problem?.detail : undefined);
  return html`
${problem?.status === 412 ? versionConflict(parts) : problem ? errorSummary(request, problem, field) : ""}
<form method="post" action="${to}" class="fields">
${csrfField(request)}
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields.filter(({ isMore }) => !isMore).map(rowOf)}
${more.length === 0 ? "" : html`<details${problem?.status === 412 || field?.isMore ? html` open` : ""}><summary>${request.texts.action.more}</summary>${more.map(rowOf)}</details>`}
${parts.beforeButton ?? ""}
<p><button class="main">${button}</button></p>
</form>`;
}

/** Returns the typed number. Text that is not a number is unchanged, so that the API reports the problem. */
export function typedNumber(text: string | undefined): number | string {
  const typed = text?.trim() ?? "";
  return typed === "" || Number.isNaN(Number(typed)) ? typed : Number(typed);
}

/** Renders the hidden field that every POST must contain. */
export function csrfField({ csrf }: Pick<PageRequest, "csrf">): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`;
}

/** Renders the error at the top of a page, with a link to the field that it is about. */
export function errorSummary({ texts }: PageRequest, { detail }: ApiProblem, field?: Field): Html {
  return html`<div class="problem" role="alert" tabindex="-1">
<h2>${texts.problems.formTitle}</h2>
<p>${field ? html`<a href="#field-${field.name}">${texts.problems.field(field.label, detail)}</a>` : detail}</p>
</div>`;
}

function fieldRow(field: Field, request: PageRequest, error: string | undefined): Html {
  const { name, label, hint, kind = "text" } = field;
  const id = `field-${name}`;
  const value = typedValue(field, request);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const shared = html`id="${id}" name="${name}"${field.isRequired ? html` required` : ""}${described === "" ? "" : html` aria-describedby="${described}"`}${error ? html` aria-invalid="true"` : ""}`;
  const notes = html`${hint ? html`<span class="hint" id="${id}-hint">${hint}</span>` : ""}${error ? html`<span class="error" id="${id}-error">${error}</span>` : ""}`;
  if (kind === "checkbox") {
    // Browsers do not send an unchecked box. The hidden field before the box shows that the form contains it.
    return html`<div class="field${error ? " wrong" : ""}"><input type="hidden" name="${name}" value="no"><label class="check"><input type="checkbox" ${shared} value="yes"${value === "yes" ? html` checked` : ""}> ${label}</label>${notes}</div>`;
  }
  return html`<div class="field${error ? " wrong" : ""}"><label for="${id}">${label}</label>${notes}${control(field, value, shared)}</div>`;
}

function control({ kind = "text", options, rows = 6 }: Field, value: string, shared: Html): Html {
  if (options) {
    return html`<select ${shared}>${Object.entries(options).map(
      ([each, text]) =>
        html`<option value="${each}"${each === value ? html` selected` : ""}>${text}</option>`,
    )}</select>`;
  }
  if (kind === "textarea")
    return html`<textarea ${shared} rows="${rows}" spellcheck="false">${value}</textarea>`;
  return html`<input type="${kind}"${kind === "number" ? html` step="any"` : ""} ${shared} value="${value}">`;
}
