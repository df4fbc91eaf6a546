import { issnProblem, normalizeIssns } from "../../../identifiers/issn.ts";
import type { DataField } from "../../../marc/record.ts";
import type { DublinCoreElements } from "./dublin-core-elements.ts";
import { marcField, repeated } from "./marc-fields.ts";

/**
 * The relations of qualified Dublin Core.
 * @see https://www.loc.gov/marc/dccross.html
 */
const relations: ReadonlyMap<string, readonly [tag: string, indicators: string]> = new Map([
  ["relation", ["787", "0 "]],
  ["conformsTo", ["787", "0 "]],
  ["references", ["787", "0 "]],
  ["isRequiredBy", ["787", "0 "]],
  ["hasPart", ["774", "0 "]],
  ["isVersionOf", ["775", "0 "]],
  ["hasVersion", ["775", "0 "]],
  ["isFormatOf", ["776", "0 "]],
  ["hasFormat", ["776", "0 "]],
  ["replaces", ["780", "00"]],
  ["isReplacedBy", ["785", "00"]],
]);

/** The maximum length of a text that may be an ISSN or a part of a journal. */
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
    ...dc.of("isReferencedBy").flatMap(({ text }) => marcField("510", "0 ", ["a", text])),
    ...dc.values.flatMap(({ element, text }) => {
      const relation = relations.get(element);
      return relation === undefined ? [] : marcField(...relation, ["n", text]);
    }),
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
