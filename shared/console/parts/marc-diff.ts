import { diffArrays } from "diff";
import { html } from "hono/html";
import type { Html } from "../page.ts";
import type { MarcRecord } from "./marc.ts";

/**
 * Renders the lines in which a version of a record differs from the previous version: removed lines and added lines.
 * @param label names the table on its page
 */
export function marcDiff(before: MarcRecord, after: MarcRecord, label: string): Html {
  const changed = diffArrays(linesOf(before), linesOf(after)).filter(
    ({ added, removed }) => added || removed,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="marc"><tbody>${changed.flatMap(
    ({ value, removed }) =>
      value.map(
        (line) =>
          html`<tr><td>${removed ? "−" : "+"}</td><td>${removed ? html`<del>${line}</del>` : html`<ins>${line}</ins>`}</td></tr>`,
      ),
  )}</tbody></table></div>`;
}

/** Returns the lines of a record, such as `245 10 $a Title $b rest`. */
function linesOf({ leader, control, fields }: MarcRecord): string[] {
  return [
    `LDR ${leader}`,
    ...control.map(([tag, value]) => `${tag} ${value}`),
    ...fields.map(([tag, indicators, subfields]) =>
      [tag, indicators.replaceAll(" ", "_"), ...subfields.map(([code, value]) => `$${code} ${value}`)].join(
        " ",
      ),
    ),
  ];
}
