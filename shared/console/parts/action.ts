import { html } from "hono/html";
import { digest } from "../../core/digest.ts";
import type { Html, PageRequest } from "../page.ts";
import { csrfField } from "./form.ts";

interface ActionParts {
  request: PageRequest;
  /** The address of the POST. */
  to: string;
  /** A verb. */
  label: string;
  /** The fields that are sent with the POST. */
  fields?: Readonly<Record<string, string>>;
  /**
   * A description of the exact effect, for actions that cannot be undone. The button then asks once for confirmation,
   * in place.
   */
  confirm?: string;
  /** Whether a reason must be given, for actions that change which records are delivered or shown. */
  needsReason?: boolean;
  isMain?: boolean;
}

/**
 * Renders a button for an action. An action that needs a reason or a confirmation opens in place, without a dialog. Any
 * other action is performed immediately, and its notice offers to undo it.
 */
export function action(parts: ActionParts): Html {
  const { request, to, label, fields = {}, confirm, needsReason, isMain } = parts;
  const hidden = html`${csrfField(request)}${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}`;
  if (confirm === undefined && !needsReason) {
    return html`<form method="post" action="${to}" class="action">${hidden}<button${isMain ? html` class="main"` : ""}>${label}</button></form>`;
  }
  const id = `reason-${digest(to, JSON.stringify(fields))}`;
  return html`<details class="action"><summary${isMain ? html` class="main"` : ""}>${label}</summary>
<form method="post" action="${to}">${hidden}
${confirm ? html`<p>${confirm}</p>` : ""}
${
  needsReason
    ? html`<div class="field"><label for="${id}">${request.texts.action.reason}</label><span class="hint" id="${id}-hint">${request.texts.action.reasonHint}</span><input id="${id}" name="reason" required maxlength="500" aria-describedby="${id}-hint"></div>`
    : ""
}
<button class="main">${label}</button></form></details>`;
}
