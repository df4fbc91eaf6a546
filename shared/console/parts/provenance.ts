import { html } from "hono/html";
import type { Provenance } from "../../records/origin/provenance.ts";
import { withQuery } from "../api.ts";
import type { Html, PageRequest } from "../page.ts";
import { table } from "./table.ts";

/** Renders the origin of each field of a record, with what the other witnesses say. */
export function provenanceTable(rows: Provenance, request: PageRequest): Html {
  const { provenance: words } = request.texts;
  return table({
    request,
    caption: words.title,
    columns: [
      { head: words.field, cell: ({ field }) => words.fields[field] },
      { head: words.value, cell: ({ value }) => value },
      {
        head: words.witness,
        cell: ({ witness, recipe }) =>
          recipe === undefined
            ? words.witnesses[witness]
            : html`${words.witnesses[witness]}, <a href="${withQuery("/console/recipes/edit", { id: recipe })}">${words.recipe(recipe)}</a>`,
      },
      {
        head: words.others,
        cell: ({ others, disagrees }) =>
          html`${others.map((other, at) => html`${at > 0 ? "; " : ""}${words.witnesses[other.witness]}: ${other.value}`)}${disagrees ? html` <strong class="warning">${words.disagrees}</strong>` : ""}`,
      },
    ],
    rows,
    empty: words.none,
  });
}
