import type { DataField, Subfield } from "../../marc/record.ts";
import type { Group } from "../../records/sources/group.ts";
import type { Source } from "../../records/sources/source.ts";

/** Builds 935, which names the institutions that selected the record, and states that a program made the record. */
export function buildSelectionFields(source: Source, group: Group, personsNeedWork: boolean): DataField[] {
  const { selectiveEvaluation } = source;
  return [
    ...(selectiveEvaluation || !group.subjectMark ? [] : [selectionField(group.subjectMark)]),
    ...(group.localMark ? [selectionField(group.localMark, local)] : []),
    ...source.additionalSelectors.map((selector) => selectionField(selector)),
    selectionField("zota", local),
    ...(selectiveEvaluation ? [selectionField("NABZ", local)] : []),
    ...(personsNeedWork ? [selectionField("tiep", local)] : []),
  ];
}

const local = "LOK";

function selectionField(value: string, scope?: typeof local): DataField {
  const scopes: Subfield[] = scope === undefined ? [] : [["2", scope]];
  return ["935", "  ", [["a", value], ...scopes]];
}
