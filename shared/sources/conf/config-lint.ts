import { issnProblem } from "../../identifiers/issn.ts";
import type { Filters } from "../filters.ts";
import { hostTitleOf } from "../host-title.ts";
import { freeLicences } from "../licence.ts";
import type { Settings } from "../settings.ts";
import type { Source } from "../source.ts";
import { subjectGroups } from "../subject-groups.ts";
import { listFileNames } from "./list-files.ts";

/** What a schema accepts and nobody can have meant; `path` names the field as a schema does, empty for the whole. */
export interface LintWarning {
  path: PropertyKey[];
  message: string;
}

/** Free ones, and ZZ unknown, KW not given. */
const licences: readonly string[] = [...freeLicences, "ZZ", "KW"];

const tiefpValues: readonly string[] = ["J", "N", "-"];

/** Control fields that every record has. */
const generatedFields: readonly string[] = ["001", "003", "007"];

/** What is doubtful about a journal of a configuration file. */
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
    warnings.push({ path: ["zederId"], message: "a number with zeros before it: kept as it is written" });
  if (ssgn !== undefined && !subjectGroups.has(ssgn))
    warnings.push({ path: ["ssgn"], message: `not one of ${[...subjectGroups.keys()].join(" ")}: no 084` });
  if (license !== undefined && !licences.includes(license))
    warnings.push({ path: ["license"], message: `not one of ${licences.join(" ")}: as ZZ` });
  if (!tiefpValues.includes(tiefp))
    warnings.push({ path: ["tiefp"], message: `not one of ${tiefpValues.join(" ")}: as -` });
  return [...warnings, ...lintFilters(filters)];
}

const issnMessages = { form: "no ISSN such as 1234-567X", "check digit": "an ISSN with a wrong check digit" };

/** What is doubtful about the settings of a configuration file. */
export function lintSettings({ hostDelays, nameBlacklist, filters }: Settings): LintWarning[] {
  const neverFound = nameBlacklist.filter((entry) => !/^[\p{L}\p{N}_](.*[\p{L}\p{N}_])?$/su.test(entry));
  const warnings: LintWarning[] = Object.entries(hostDelays).flatMap(([host, { defaultMs = 0, maxMs }]) =>
    maxMs !== undefined && defaultMs > maxMs
      ? [
          {
            path: ["hostDelays", host, "defaultMs"],
            message: `above the host's maximum of ${maxMs}, which counts`,
          },
        ]
      : [],
  );
  if (neverFound.length > 0) {
    const named = neverFound.map((entry) => JSON.stringify(entry)).join(", ");
    const message = `${listFileNames.nameBlacklist}: never found, as no letter or digit begins and ends it: ${named}`;
    warnings.push({ path: ["nameBlacklist"], message });
  }
  return [...warnings, ...lintFilters(filters)];
}

function lintFilters(filters: Filters): LintWarning[] {
  return [...lintAddedFields(filters, ["filters"]), ...lintControlFieldFilters(filters)];
}

/** Filters look at data fields: in a control field they find nothing. */
function lintControlFieldFilters(filters: Filters): LintWarning[] {
  const kinds = [
    "removeFields",
    "removeSubfields",
    "rewriteFields",
    "rewriteFieldsIf",
    "excludeMarc",
  ] as const;
  const isControl = (tag: string) => tag.startsWith("00");
  const doubtAt = (kind: keyof Filters, index: number, tag: string): LintWarning => ({
    path: ["filters", kind, index],
    message: `does nothing: filters do not look at control fields such as ${tag}`,
  });
  const onControl = kinds.flatMap((kind) =>
    filters[kind].flatMap(({ tag }, index) => (isControl(tag) ? [doubtAt(kind, index, tag)] : [])),
  );
  const byControl = (["addFieldsIf", "rewriteFieldsIf"] as const).flatMap((kind) =>
    filters[kind].flatMap(({ tag, test }, index) =>
      isControl(test.tag) && !(kind === "rewriteFieldsIf" && isControl(tag))
        ? [doubtAt(kind, index, test.tag)]
        : [],
    ),
  );
  return [...onControl, ...byControl];
}

/** What is doubtful about fields that are added. */
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
