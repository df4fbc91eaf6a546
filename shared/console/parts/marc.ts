import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import type { Html } from "../page.ts";

export type MarcRecord = Answer<"GET /records/{id}">["marc"];

/** A finding of the validation, at a field. */
export type Finding = Answer<"GET /refused-records/{id}">["findings"][number];

/**
 * Renders a record as librarians read it, such as `245 10 $a Title $b rest`, with each finding beside its field. A
 * finding about a missing field is shown at the place of that field.
 */
export function marcView(record: MarcRecord, findings: readonly Finding[] = []): Html {
  const lines = [
    ...record.control.map(([tag, value]) => ({ tag, row: line(tag, "", html`${value}`, findings) })),
    ...record.fields.map(([tag, indicators, subfields]) => ({
      tag,
      row: line(tag, indicators, subfieldsOf(subfields), findings),
    })),
  ];
  const tags = new Set(lines.map(({ tag }) => tag));
  for (const finding of findings) {
    if (tags.has(finding.tag)) continue;
    const before = lines.findIndex(({ tag }) => tag > finding.tag);
    lines.splice(before < 0 ? lines.length : before, 0, { tag: finding.tag, row: missingLine(finding) });
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="MARC"><table class="marc"><tbody>
<tr><td>LDR</td><td></td><td>${record.leader}</td><td></td></tr>
${lines.map(({ row }) => row)}
</tbody></table></div>`;
}

function missingLine({ tag, subfield, reason }: Finding): Html {
  return html`<tr class="finding"><td>${tag}</td><td></td><td class="error" colspan="2">${subfield ? `$${subfield}: ` : ""}${reason}</td></tr>`;
}

function line(tag: string, indicators: string, content: Html, findings: readonly Finding[]): Html {
  const own = findings.filter((finding) => finding.tag === tag);
  return html`<tr${own.length > 0 ? html` class="finding"` : ""}><td>${tag}</td><td>${indicators.replaceAll(" ", "_")}</td><td>${content}</td><td class="error">${own.map(
    ({ subfield, reason }) => html`${subfield ? `$${subfield}: ` : ""}${reason} `,
  )}</td></tr>`;
}

function subfieldsOf(subfields: readonly [string, string][]): Html {
  return html`${subfields.map(([code, value]) => html`<b>$${code}</b> ${value} `)}`;
}
