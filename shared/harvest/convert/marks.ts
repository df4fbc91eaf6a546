import type { DataField, Subfield } from "../../marc/record.ts";
import type { Group } from "../../sources/group.ts";
import type { Source } from "../../sources/source.ts";

/** 935: who asked for the record and how it came to be. */
export function markFields(source: Source, group: Group, personsNeedWork: boolean): DataField[] {
  const { selectiveEvaluation } = source;
  return [
    ...(selectiveEvaluation || !group.subjectMark ? [] : [mark(group.subjectMark)]),
    ...(group.localMark ? [mark(group.localMark, local)] : []),
    ...source.additionalSelectors.map((selector) => mark(selector)),
    mark("zota", local),
    ...(selectiveEvaluation ? [mark("NABZ", local)] : []),
    ...(personsNeedWork ? [mark("tiep", local)] : []),
  ];
}

const local = "LOK";

function mark(value: string, scope?: typeof local): DataField {
  const scopes: Subfield[] = scope === undefined ? [] : [["2", scope]];
  return ["935", "  ", [["a", value], ...scopes]];
}
