import { html } from "hono/html";
import { type ApiProblem, pathOf } from "../../console/api.ts";
import type { Html, PageAnswer, PageRequest } from "../../console/page.ts";
import { form } from "../../console/parts/form.ts";
import { fieldsOf, typedThing } from "../../console/parts/table-form.ts";
import type { FieldTable } from "../../core/field-table.ts";

/** A source that Ingather proposes, and the fields of it that the form contains. The other fields are saved as proposed. */
interface Proposal<Source extends { sourceId: string }> {
  fields: FieldTable;
  source: Source;
}

/** Returns the form that saves a proposed source. @param to the path to which the form is sent */
export function proposedSourceForm(
  { fields, source }: Proposal<{ sourceId: string }>,
  { request, to, problem }: { request: PageRequest; to: string; problem: ApiProblem | undefined },
): Html {
  const { texts } = request;
  return html`${form({
    request,
    to,
    button: texts.add.save,
    problem,
    fields: fieldsOf(fields, source, request).map((field) =>
      field.name === "sourceId" ? { ...field, hint: texts.add.idHint } : field,
    ),
  })}
<p class="quiet">${texts.add.next}</p>`;
}

/**
 * Saves a proposed source with the values of its form.
 * @param refused returns the page with the form again, and the reason
 */
export async function saveProposedSource<Source extends { sourceId: string }>(
  { fields, source: proposed }: Proposal<Source>,
  { api, form: sent, texts }: PageRequest,
  refused: (problem: ApiProblem) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const source = { ...proposed, ...typedThing(fields, proposed, sent) };
  const saved = await api.send("POST /sources", {}, source);
  if (!saved.ok) return refused({ ...saved.problem, field: saved.problem.field ?? "sourceId" });
  return { redirect: pathOf`/console/sources/${source.sourceId}`, notice: { text: texts.add.saved } };
}
