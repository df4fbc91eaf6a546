import type { DataField } from "../../marc/record.ts";
import type { Group } from "../../records/sources/group.ts";
import type { Source } from "../../records/sources/source.ts";
import { subjectGroups } from "../../records/sources/subject-groups.ts";

/**
 * Builds the fields that a record gets from its source and group, independent of its content: 040, 084 (subject group),
 * 852, 912, and the local fields JOU, URL and ZID.
 * @param url the URL of the record itself
 */
export function buildCollectionFields(
  url: string,
  { source, group }: { source: Source; group: Group },
): DataField[] {
  const { zederId } = source;
  return [
    buildField("040", "aDE-627", "bger", "cDE-627", "erda"),
    ...subjectGroupFields(source),
    buildField("852", `a${group.isil}`),
    buildField("912", "aNOMM"),
    buildField("JOU", `a${source.title}`),
    buildField("URL", `a${url}`),
    ...(zederId === undefined
      ? []
      : [buildField("ZID", `a${zederId}`, `b${group.zederInstance ?? group.groupId.toLowerCase()}`)]),
  ];
}

/**
 * Builds a field.
 * @param subfields code and value in one string: `aNOMM`
 */
function buildField(tag: string, ...subfields: string[]): DataField {
  return [tag, "  ", subfields.map((subfield) => [subfield.slice(0, 1), subfield.slice(1)])];
}

/** Builds 084, the subject group (SSG) of the journal. It is omitted when articles are selected manually. */
function subjectGroupFields({ ssgn, selectiveEvaluation }: Source): DataField[] {
  const numbers = ssgn === undefined || selectiveEvaluation ? undefined : subjectGroups.get(ssgn);
  return numbers ? [buildField("084", ...numbers.map((number) => `a${number}`), "2ssgn")] : [];
}
