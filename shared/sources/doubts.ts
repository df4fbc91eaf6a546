import { enhancementFileNames } from "./enhancement-files.ts";
import type { Filters } from "./filters.ts";
import { hostTitleOf } from "./host-title.ts";
import { issnProblem } from "./issn.ts";
import { freeLicences } from "./licence.ts";
import type { Settings } from "./settings.ts";
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
  const { zederId, ssgn, license, tiefp, filters } = source;
  const doubts: Doubt[] = [];
  const host = hostTitleOf(source);
  if (host.type === "incomplete")
    doubts.push({ path: [], doubt: `every article will be dropped: ${host.detail}` });
  for (const medium of ["online", "print"] as const) {
    const issn = source[medium]?.issn;
    const problem = issn === undefined ? undefined : issnProblem(issn);
    if (problem !== undefined) doubts.push({ path: [medium, "issn"], doubt: issnDoubts[problem] });
  }
  if (zederId !== undefined && /^0\d/.test(zederId))
    doubts.push({ path: ["zederId"], doubt: "a number with zeros before it: kept as it is written" });
  if (ssgn !== undefined && !subjectGroups.has(ssgn))
    doubts.push({ path: ["ssgn"], doubt: `not one of ${[...subjectGroups.keys()].join(" ")}: no 084` });
  if (license !== undefined && !licences.includes(license))
    doubts.push({ path: ["license"], doubt: `not one of ${licences.join(" ")}: as ZZ` });
  if (!tiefpValues.includes(tiefp))
    doubts.push({ path: ["tiefp"], doubt: `not one of ${tiefpValues.join(" ")}: as -` });
  return [...doubts, ...doubtsOfFilters(filters)];
}

const issnDoubts = { form: "no ISSN such as 1234-567X", "check digit": "an ISSN with a wrong check digit" };

/** What is doubtful about the settings of a configuration file. */
export function doubtsOfSettings({ hostDelays, nameBlacklist, filters }: Settings): Doubt[] {
  const neverFound = nameBlacklist.filter((entry) => !/^[\p{L}\p{N}_](.*[\p{L}\p{N}_])?$/su.test(entry));
  const doubts: Doubt[] = Object.entries(hostDelays).flatMap(([host, { defaultMs = 0, maxMs }]) =>
    maxMs !== undefined && defaultMs > maxMs
      ? [
          {
            path: ["hostDelays", host, "defaultMs"],
            doubt: `above the host's maximum of ${maxMs}, which counts`,
          },
        ]
      : [],
  );
  if (neverFound.length > 0) {
    const named = neverFound.map((entry) => JSON.stringify(entry)).join(", ");
    const doubt = `${enhancementFileNames.nameBlacklist}: never found, as no letter or digit begins and ends it: ${named}`;
    doubts.push({ path: ["nameBlacklist"], doubt });
  }
  return [...doubts, ...doubtsOfFilters(filters)];
}

function doubtsOfFilters(filters: Filters): Doubt[] {
  return [...doubtsOfFields(filters, ["filters"]), ...idleFilters(filters)];
}

/** Filters look at data fields: in a control field they find nothing. */
function idleFilters(filters: Filters): Doubt[] {
  const kinds = [
    "removeFields",
    "removeSubfields",
    "rewriteFields",
    "rewriteFieldsIf",
    "excludeMarc",
  ] as const;
  const isControl = (tag: string) => tag.startsWith("00");
  const doubtAt = (kind: keyof Filters, index: number, tag: string): Doubt => ({
    path: ["filters", kind, index],
    doubt: `does nothing: filters do not look at control fields such as ${tag}`,
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
