import { truncateText } from "../../core/truncate-text.ts";
import type { Notice } from "../../formats/registered/registered-work.ts";
import { doiKey, doiUrl } from "../../identifiers/doi.ts";
import type { OriginFinding } from "../../records/origin/origin-finding.ts";
import type { FieldProvenance, Provenance, ProvenanceField } from "../../records/origin/provenance.ts";
import type { OriginRule } from "../../records/rule-ids.ts";

/** The fields of a record to which findings belong. */
const tags: Readonly<Partial<Record<ProvenanceField, string>>> = {
  creators: "100",
  title: "245",
  year: "264",
  volume: "936",
};

/** Returns the notices about the article itself; a notice that is the article is about another one. */
export function ownNotices(notices: readonly Notice[], doi: string | undefined): Notice[] {
  return notices.filter(({ of }) => doi !== undefined && doiKey(of) === doiKey(doi));
}

/** Describes a notice for the record, such as `Retraction: https://doi.org/10.5555/9 (2026-11-02)`. */
export function describeNotice({ type, by, day }: Notice): string {
  const name = type.replaceAll("_", " ");
  const date = day === undefined ? "" : ` (${day})`;
  return truncateText(`${name.charAt(0).toUpperCase()}${name.slice(1)}: ${doiUrl(by)}${date}`);
}

/** Returns a finding for each notice about the article itself. */
export function noticeFindings(
  notices: readonly Notice[],
  doi: string | undefined,
  held: readonly OriginRule[] = [],
): OriginFinding[] {
  return ownNotices(notices, doi).map(({ kind, type, by, day }) => {
    const ruleId = kind === "retracted" ? "article-retracted" : "article-corrected";
    return {
      ruleId,
      tag: "024",
      reason: truncateText(`${type} by ${by}${day === undefined ? "" : `, ${day}`}`),
      ...(held.includes(ruleId) && { isHeld: true }),
    };
  });
}

/** Returns a finding for each field in which another witness contradicts the record. */
export function disagreementFindings(
  provenance: Provenance,
  held: readonly OriginRule[] = [],
): OriginFinding[] {
  return provenance
    .filter(({ disagrees }) => disagrees)
    .map((field) => ({
      ruleId: "witnesses-disagree",
      tag: tags[field.field] ?? "",
      reason: truncateText(describeOrigin(field)),
      ...(held.includes("witnesses-disagree") && { isHeld: true }),
    }));
}

/** Describes the origin of a field, such as `year 2014: page; feed: 2026`. */
function describeOrigin({ field, value, witness, others }: FieldProvenance): string {
  const said = others.map((other) => `; ${other.witness}: ${other.value}`);
  return `${field} ${value}: ${witness}${said.join("")}`;
}

/** Describes the findings for the warnings of a record. */
export function describeOriginFindings(findings: readonly OriginFinding[]): string[] {
  return findings.map(({ reason, ruleId }) => `${reason} [${ruleId}]`);
}
