import { issnProblem } from "../../identifiers/issn.ts";
import type { Filters } from "../filters.ts";
import { hostTitleOf } from "../host-title.ts";
import { freeLicences } from "../licence.ts";
import type { Settings } from "../settings.ts";
import type { Source } from "../source.ts";
import { subjectGroups } from "../subject-groups.ts";
import { listFileNames } from "./list-files.ts";

/** A value that the schema accepts but that is probably a mistake. `path` names its field; empty: the whole item. */
export interface LintWarning {
  path: PropertyKey[];
  message: string;
}

/** The free ones, ZZ unknown, KW not given. */
const licences: readonly string[] = [...freeLicences, "ZZ", "KW"];

const tiefpValues: readonly string[] = ["J", "N", "-"];

/** Control fields that conversion writes into every record. */
const generatedFields: readonly string[] = ["001", "003", "007"];

/** Probable mistakes in a journal. */
export function lintSource(source: Source): LintWarning[] {
  const { zederId, ssgn, license, tiefp, filters } = source;
  const warnings: LintWarning[] = [];
  const host = hostTitleOf(source);
  if (host.type === "incomplete")
    warnings.push({ path: [], message: `every article will be dropped: ${host.detail}` });
  for (const medium of ["online", "print"] as const) {
    const issn = source[medium]?.issn;
    const problem = issn === undefined ? undefined : issnProblem(issn);
    if (problem !== undefined) warnings.push({ path: [medium, "issn"], message: issnMessages[problem] });
  }
  if (zederId !== undefined && /^0\d/.test(zederId))
    warnings.push({ path: ["zederId"], message: "has leading zeros: kept as written" });
  if (ssgn !== undefined && !subjectGroups.has(ssgn))
    warnings.push({
      path: ["ssgn"],
      message: `not one of ${[...subjectGroups.keys()].join(" ")}: no 084 is written`,
    });
  if (license !== undefined && !licences.includes(license))
    warnings.push({ path: ["license"], message: `not one of ${licences.join(" ")}: treated as ZZ` });
  if (!tiefpValues.includes(tiefp))
    warnings.push({ path: ["tiefp"], message: `not one of ${tiefpValues.join(" ")}: treated as -` });
  return [...warnings, ...lintFilters(filters)];
}

const issnMessages = {
  form: "not an ISSN such as 1234-567X",
  "check digit": "an ISSN with a wrong check digit",
};

/** Probable mistakes in the settings. */
export function lintSettings({ hostDelays, nameBlacklist, filters }: Settings): LintWarning[] {
  const neverFound = nameBlacklist.filter((entry) => !/^[\p{L}\p{N}_](.*[\p{L}\p{N}_])?$/su.test(entry));
  const warnings: LintWarning[] = Object.entries(hostDelays).flatMap(([host, { defaultMs = 0, maxMs }]) =>
    maxMs !== undefined && defaultMs > maxMs
      ? [
          {
            path: ["hostDelays", host, "defaultMs"],
            message: `above the host's maximum of ${maxMs}, which is used`,
          },
        ]
      : [],
  );
  if (neverFound.length > 0) {
    const named = neverFound.map((entry) => JSON.stringify(entry)).join(", ");
    const message = `${listFileNames.nameBlacklist}: never matches, because it does not begin and end with a letter or digit: ${named}`;
    warnings.push({ path: ["nameBlacklist"], message });
  }
  return [...warnings, ...lintFilters(filters)];
}

function lintFilters(filters: Filters): LintWarning[] {
  return [...lintAddedFields(filters, ["filters"]), ...lintControlFieldFilters(filters)];
}

/** Filters match data fields only. */
function lintControlFieldFilters(filters: Filters): LintWarning[] {
  const kinds = [
    "removeFields",
    "removeSubfields",
    "rewriteFields",
    "rewriteFieldsIf",
    "excludeMarc",
  ] as const;
  const isControl = (tag: string) => tag.startsWith("00");
  const warningAt = (kind: keyof Filters, index: number, tag: string): LintWarning => ({
    path: ["filters", kind, index],
    message: `has no effect: filters ignore control fields such as ${tag}`,
  });
  const onControl = kinds.flatMap((kind) =>
    filters[kind].flatMap(({ tag }, index) => (isControl(tag) ? [warningAt(kind, index, tag)] : [])),
  );
  const byControl = (["addFieldsIf", "rewriteFieldsIf"] as const).flatMap((kind) =>
    filters[kind].flatMap(({ tag, test }, index) =>
      isControl(test.tag) && !(kind === "rewriteFieldsIf" && isControl(tag))
        ? [warningAt(kind, index, test.tag)]
        : [],
    ),
  );
  return [...onControl, ...byControl];
}

/** Added fields that a record has already. */
export function lintAddedFields(
  { addFields, addFieldsIf = [] }: Pick<Filters, "addFields"> & Partial<Pick<Filters, "addFieldsIf">>,
  path: PropertyKey[],
): LintWarning[] {
  const warningsFor = (kind: string, tags: string[]) =>
    tags.flatMap((tag, index) =>
      generatedFields.includes(tag)
        ? [{ path: [...path, kind, index], message: `adds a second ${tag}` }]
        : [],
    );
  return [
    ...warningsFor(
      "addFields",
      addFields.map((text) => text.slice(0, 3)),
    ),
    ...warningsFor(
      "addFieldsIf",
      addFieldsIf.map(({ tag }) => tag),
    ),
  ];
}
