import { issnProblem, normalizeIssns } from "../../../identifiers/issn.ts";
import type { DataField } from "../../../marc/record.ts";
import type { DublinCoreElements } from "./dublin-core-elements.ts";
import { marcField, repeated } from "./marc-fields.ts";

/** Longer texts are not an ISSN, and not part of a journal. */
const maxIssnChars = 40;
const maxPartChars = 1000;

/**
 * Matches the title and the part of a journal, as Open Journal Systems writes them: `Journal; Vol. 3 No. 2 (2013);
 * 9-19`.
 */
const journalPart = /^([^;]+);\s*(.+)$/s;

/**
 * Builds the relations to other resources. A source with an ISSN, or a source that is the part of a journal, is the
 * host (773). Other sources are the originals from which the resource was made (786).
 * @param issns the ISSNs of the host
 */
export function buildRelationFields(dc: DublinCoreElements, issns: readonly string[]): DataField[] {
  const sources = dc.texts("source").filter((text) => !isOnlyIssn(text));
  const host = sources.find((text) => issns.length > 0 || isJournalPart(text));
  const [, title = host ?? "", part] = (host === undefined ? undefined : journalPart.exec(host)) ?? [];
  const parents = dc.texts("isPartOf").filter((text) => !isOnlyIssn(text));
  const [parent] = host === undefined && issns.length > 0 ? parents : [];
  const hostFields =
    host === undefined && issns.length === 0
      ? []
      : marcField(
          "773",
          "08",
          ["i", "In:"],
          ["t", parent ?? title],
          ["g", part],
          ...repeated("x", [...new Set(issns)]),
        );
  return [
    ...hostFields,
    ...parents.filter((text) => text !== parent).flatMap((text) => marcField("773", "0 ", ["t", text])),
    ...sources
      .filter((text) => text !== host && text !== title)
      .flatMap((text) => marcField("786", "0 ", ["n", text])),
  ];
}

/** Matches words and signs that may accompany an ISSN without other text. */
const issnWords = /\b(?:[ep]?issn|urn|print|online)\b|[^\p{L}\d]/giu;

function isOnlyIssn(text: string): boolean {
  if (text.length > maxIssnChars) return false;
  const rest = text.replaceAll(issnWords, "");
  const issn = normalizeIssns([`${rest.slice(0, 4)}-${rest.slice(4)}`]);
  return rest.length === 8 && issn !== undefined && issnProblem(issn) === undefined;
}

function isJournalPart(text: string): boolean {
  return (
    text.length <= maxPartChars &&
    /;.*(?:\b(?:vol|v|no|n|núm|num|nr|issue|bd|jg|heft|año)\b\.?|n[º°]|\(\d{4}\))/isu.test(text)
  );
}
