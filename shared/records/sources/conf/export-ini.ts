import type { Configuration } from "../configuration.ts";
import { subfieldMark } from "../filters.ts";
import type { Source } from "../source.ts";
import { parseIni } from "./ini.ts";
import { type GlobalFields, globalKeys } from "./keys/global-keys.ts";
import { groupKeys, subgroupKeys } from "./keys/group-keys.ts";
import { journalKeys } from "./keys/journal-keys.ts";
import { type Entries, printFields } from "./keys/key-table.ts";

/**
 * Writes a configuration as a `zotero_harvester.conf`. An import of the file results in the same configuration.
 * `exportOmissions` lists the data that such a file cannot contain: the fields that operators set, which an import
 * keeps, and the lists, which are separate files. Two filters of the same kind for the same target would be a duplicate
 * key.
 */
export function exportIni({ settings, groups, sources }: Configuration): string {
  const global: GlobalFields = {
    ...settings,
    enhancementMapsDirectory: settings.enhancementMapsDirectory ?? ".",
    groupIds: groups.map(({ groupId }) => groupId),
    subgroupIds: settings.subgroups.map(({ subgroupId }) => subgroupId),
  };
  return [
    printSection(undefined, printFields(globalKeys, global)),
    ...groups.map((group) => printSection(group.groupId, printFields(groupKeys, group))),
    ...settings.subgroups.map((one) => printSection(one.subgroupId, printFields(subgroupKeys, one))),
    ...sources.map((source) => printSection(source.title, printFields(journalKeys, source))),
  ].join("\n");
}

/**
 * Selects the part of a configuration that the format can express. These are the groups with a lookup URL, and those of
 * their journals that have a Zeder id and a unique title that can be a header. `leftOut` names all other items, with
 * the reason.
 */
export function selectExportable({ settings, groups, sources }: Configuration): Configuration & {
  leftOut: string[];
} {
  const exportableGroups = groups.filter(({ authorLookupUrl }) => authorLookupUrl !== undefined);
  const groupIds = new Set(exportableGroups.map(({ groupId }) => groupId));
  const headers = new Set([...groupIds, ...settings.subgroups.map(({ subgroupId }) => subgroupId)]);
  const problems = new Map(
    sources.map((one) => [one, problemOf(one, groupIds) ?? headerProblem(one.title, headers)]),
  );
  return {
    settings,
    groups: exportableGroups,
    sources: sources.filter((one) => problems.get(one) === undefined),
    leftOut: [
      ...groups
        .filter((one) => !exportableGroups.includes(one))
        .map(({ groupId }) => `group ${groupId} has no lookup URL`),
      ...sources
        .filter((one) => problems.get(one) !== undefined)
        .map((one) => `source ${one.sourceId} ${problems.get(one)}`),
    ],
  };
}

function problemOf({ zederId, groupId }: Source, groupIds: ReadonlySet<string>): string | undefined {
  if (zederId === undefined) return "has no Zeder id";
  return groupIds.has(groupId) ? undefined : `is of the group ${groupId}, which is left out`;
}

/**
 * Returns why a title cannot be the header of a section.
 * @param headers the headers before it in the file; the title is added if it can be a header
 */
function headerProblem(title: string, headers: Set<string>): string | undefined {
  if (headers.has(title)) return `has the title of another section: ${JSON.stringify(title)}`;
  const [, read] = parseIni(header(title)).sections;
  if (read?.name !== title) return `has a title that cannot be a section's header: ${JSON.stringify(title)}`;
  headers.add(title);
  return undefined;
}

function printSection(name: string | undefined, entries: Entries): string {
  const lines = entries
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} = ${quoteValue(String(value))}\n`);
  return (name === undefined ? "" : header(name)) + lines.join("");
}

/** Escapes `#` with a backslash, except in a part that a reader would take for a quoted value. */
function header(name: string): string {
  const [, before = "", value = ""] = /^([^=]*=\s*)(".*)$/s.exec(name) ?? [undefined, name];
  const outside = (text: string) => text.replaceAll("#", "\\#");
  const quoted = /^"(?:\\.|[^"\\])*"?/s.exec(value)?.[0] ?? "";
  return `[${outside(before)}${quoted}${outside(value.slice(quoted.length))}]\n`;
}

/** Quotes a value that a reader would otherwise misinterpret. */
function quoteValue(value: string): string {
  if (value && !/^["\s]|["\s\\]$|#|\n/.test(value) && !value.includes(subfieldMark)) return value;
  const escaped = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `"${escaped.replaceAll(subfieldMark, "\\037")}"`;
}
