import { html } from "hono/html";
import type { Html, PageRequest } from "../page.ts";
import { type Field, typedValue } from "./field.ts";
import { table } from "./table.ts";

interface Conflict {
  request: PageRequest;
  fields: readonly Field[];
  /** The page with the stored version; absent when it has been deleted. */
  stored?: string | undefined;
}

/**
 * Renders the message that others have changed the stored version since the page with the form was opened. It shows
 * both versions of each field that differs, and a link to the stored version. The form below it contains the typed
 * values. If it is saved again, it replaces the stored version.
 */
export function versionConflict({ request, fields, stored }: Conflict): Html {
  const { problems } = request.texts;
  const differing = fields.filter((field) => typedValue(field, request) !== (field.value ?? ""));
  const text =
    stored === undefined ? problems.deleted : differing.length === 0 ? problems.same : problems.changed;
  return html`<div class="problem" role="alert" tabindex="-1">
<h2>${problems.conflict}</h2>
<p>${text}</p>
${stored === undefined || differing.length === 0 ? "" : bothVersions(differing, request)}
${stored === undefined ? "" : html`<p><a href="${stored}">${problems.takeStored}</a></p>`}
</div>`;
}

function bothVersions(differing: readonly Field[], request: PageRequest): Html {
  const { problems } = request.texts;
  return table({
    request,
    caption: problems.conflict,
    columns: [
      { head: problems.fieldName, cell: ({ label }: Field) => label },
      { head: problems.yours, cell: (field) => shown(field, typedValue(field, request), request) },
      { head: problems.theirs, cell: (field) => shown(field, field.value ?? "", request) },
    ],
    rows: differing,
    empty: "",
  });
}

function shown({ kind, options }: Field, value: string, { texts }: PageRequest): Html | string {
  if (kind === "checkbox") return value === "yes" ? texts.source.yes : texts.source.no;
  if (value === "") return html`<span class="quiet">${texts.problems.nothing}</span>`;
  return options?.[value] ?? html`<code>${value}</code>`;
}
