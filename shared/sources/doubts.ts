import type { Filters } from "./filters.ts";
import { hostTitleOf } from "./host-title.ts";
import { freeLicences } from "./licence.ts";
import type { Source } from "./source.ts";
import { subjectGroups } from "./subject-groups.ts";

/** What a schema accepts and nobody can have meant; `path` names the field as a schema does, empty for the whole. */
export interface Doubt {
  path: PropertyKey[];
  doubt: string;
}

/** Free ones, and ZZ unknown, KW not given. */
const licences: readonly string[] = [...freeLicences, "ZZ", "KW"];

const tiefpValues: readonly string[] = ["J", "N", "-"];

/** Control fields that every record has. */
const ownFields: readonly string[] = ["001", "003", "007"];

/** What is doubtful about a journal of a configuration file. */
export function doubtsOfSource(source: Source): Doubt[] {
  const { ssgn, license, tiefp, filters } = source;
  const doubts: Doubt[] = [];
  const host = hostTitleOf(source);
  if (host.type === "incomplete")
    doubts.push({ path: [], doubt: `every article will be dropped: ${host.detail}` });
  for (const medium of ["online", "print"] as const) {
    const issn = source[medium]?.issn;
    if (issn !== undefined && !/^\d{4}-\d{3}[\dX]$/i.test(issn))
      doubts.push({ path: [medium, "issn"], doubt: "no ISSN such as 1234-567X" });
  }
  if (ssgn !== undefined && !subjectGroups.has(ssgn))
    doubts.push({ path: ["ssgn"], doubt: `not one of ${[...subjectGroups.keys()].join(" ")}: no 084` });
  if (license !== undefined && !licences.includes(license))
    doubts.push({ path: ["license"], doubt: `not one of ${licences.join(" ")}: as ZZ` });
  if (!tiefpValues.includes(tiefp))
    doubts.push({ path: ["tiefp"], doubt: `not one of ${tiefpValues.join(" ")}: as -` });
  return [...doubts, ...doubtsOfFields(filters, ["filters"])];
}

/** What is doubtful about fields that are added. */
export function doubtsOfFields(
  { addFields, addFieldsIf = [] }: Pick<Filters, "addFields"> & Partial<Pick<Filters, "addFieldsIf">>,
  path: PropertyKey[],
): Doubt[] {
  const doubtsOf = (kind: string, tags: string[]) =>
    tags.flatMap((tag, index) =>
      ownFields.includes(tag) ? [{ path: [...path, kind, index], doubt: `adds a second ${tag}` }] : [],
    );
  return [
    ...doubtsOf(
      "addFields",
      addFields.map((text) => text.slice(0, 3)),
    ),
    ...doubtsOf(
      "addFieldsIf",
      addFieldsIf.map(({ tag }) => tag),
    ),
  ];
}
