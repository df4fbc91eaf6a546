import type { Filters } from "../filters.ts";
import { hostTitleOf } from "../host-title.ts";
import { listFileNames } from "../list-files.ts";
import type { Settings } from "../settings.ts";
import type { Source } from "../source.ts";

/**
 * A value that the schema accepts but that is probably a mistake. `path` names the field; an empty path means the whole
 * item.
 */
export interface LintWarning {
  path: PropertyKey[];
  message: string;
}

/** The control fields that the conversion writes into every record. */
const generatedFields: readonly string[] = ["001", "003", "007"];

/** Returns probable mistakes in a journal, except those in single values. */
export function lintSource(source: Source): LintWarning[] {
  const host = hostTitleOf(source);
  const incomplete =
    host.type === "incomplete"
      ? [{ path: [], message: `every article will be dropped: ${host.detail}` }]
      : [];
  return [...incomplete, ...lintFilters(source.filters)];
}

/** Returns probable mistakes in the settings. */
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

/** Warns about filters for control fields, because filters match only data fields. */
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

/** Warns about added fields that a record already has. */
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
