import { html } from "hono/html";
import type { Html } from "../page.ts";

/** A record, as the API gives it. */
export interface MarcRecord {
  leader: string;
  /** Tag, value. */
  control: [string, string][];
  /** Tag, indicators, subfields: code, value. */
  fields: [string, string, [string, string][]][];
}

/** What validation found, at a field. */
export interface Finding {
  tag: string;
  subfield?: string;
  reason: string;
}

/**
 * A record as librarians read it, such as `245 10 $a Title $b rest`, with each finding beside its field; findings about what is
 * missing stand at the end.
 */
export function marcView(record: MarcRecord, findings: readonly Finding[] = []): Html {
  const tags = new Set([...record.control.map(([tag]) => tag), ...record.fields.map(([tag]) => tag)]);
  const missing = findings.filter(({ tag }) => !tags.has(tag));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="MARC"><table class="marc"><tbody>
<tr><td>LDR</td><td></td><td>${record.leader}</td><td></td></tr>
${record.control.map(([tag, value]) => line(tag, "", html`${value}`, findings))}
${record.fields.map(([tag, indicators, subfields]) => line(tag, indicators, subfieldsOf(subfields), findings))}
${missing.map(
  ({ tag, subfield, reason }) =>
    html`<tr class="finding"><td>${tag}</td><td></td><td>${subfield ? html`<b>$${subfield}</b>` : ""}</td><td class="error">${reason}</td></tr>`,
)}
</tbody></table></div>`;
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
