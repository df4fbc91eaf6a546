import type { z } from "zod";
import { type Group, group, type Subgroup, subgroup } from "../group.ts";
import { lintLicenceMap } from "../licence.ts";
import { type Settings, settings } from "../settings.ts";
import { type Source, source } from "../source.ts";
import { type LintWarning, lintAddedFields, lintSettings, lintSource } from "./config-lint.ts";
import { knownGroupMarks } from "./group-marks.ts";
import { type IniProblem, type IniSection, parseIni } from "./ini.ts";
import { globalKeys } from "./keys/global-keys.ts";
import { groupKeys, ignoredSubgroupKeys, subgroupKeys } from "./keys/group-keys.ts";
import { journalKeys } from "./keys/journal-keys.ts";
import { buildKeyLookup, isKnownKey, readFields, type SectionKeys } from "./keys/key-table.ts";
import type { ListFiles } from "./list-files.ts";
import { readLists } from "./read-lists.ts";
import { SectionReader } from "./section-reader.ts";
import { sizeProblem } from "./stored-size.ts";

/** What a configuration file holds, or all that makes it unusable. */
export type ParsedConfiguration =
  | { type: "imported"; settings: Settings; groups: Group[]; sources: Source[]; warnings: string[] }
  | { type: "refused"; problems: IniProblem[]; warnings: string[] };

const maxMessageChars = 500;

/**
 * Reads a `zotero_harvester.conf`: global settings, then a section for each group, subgroup and journal. An unknown key
 * is a warning; anything else that is wrong refuses the file. All problems are reported at once.
 */
export function importIni(text: string, files: ListFiles = {}): ParsedConfiguration {
  const { sections, problems, warnings: warningsOfLines } = parseIni(text);
  const warnings = warningsOfLines.map(({ line, message }) => truncateMessage(`line ${line}: ${message}`));
  const open = (section: IniSection, keys: SectionKeys, ignoredKeys: readonly string[] = []) => {
    for (const key of section.entries.keys())
      if (!isKnownKey(keys, key) && !ignoredKeys.includes(key))
        warnings.push(truncateMessage(`Invalid ini entry "${key}" in section "${section.name}"`));
    return { keys, reader: new SectionReader(section, { problems, warnings }) };
  };
  const addLint = ({ reader, keys }: OpenSection, lint: LintWarning[]) => {
    const keyOf = buildKeyLookup(keys, reader.entries);
    for (const { path, message } of lint)
      warnings.push(truncateMessage(reader.describe(keyOf(path), message)));
  };

  const [globalSection, ...named] = sections as [IniSection, ...IniSection[]];
  const global = open(globalSection, globalKeys);
  const groupIds = new Set(global.reader.list("groups"));
  const subgroupIds = new Set(global.reader.list("subgroups"));
  const names = new Set(named.map(({ name }) => name));
  for (const id of [...groupIds, ...subgroupIds])
    if (!names.has(id)) global.reader.refuse("groups", `there is no section for the group "${id}"`);

  const groups: Group[] = [];
  const subgroups: Subgroup[] = [];
  const journals: { reader: SectionReader; value: Source }[] = [];
  for (const section of named) {
    if (groupIds.has(section.name)) {
      const opened = open(section, groupKeys);
      const value = parseSection(group, readGroup(opened.reader), opened);
      if (value) groups.push(value);
      if (value) addLint(opened, lintAddedFields({ addFields: value.addFields }, []));
    } else if (subgroupIds.has(section.name)) {
      const opened = open(section, subgroupKeys, ignoredSubgroupKeys);
      const value = parseSection(subgroup, readSubgroup(opened.reader), opened);
      if (value) subgroups.push(value);
    } else {
      const opened = open(section, journalKeys);
      const value = parseSection(source, readJournal(opened.reader, { groupIds, subgroupIds }), opened);
      if (value) journals.push({ reader: opened.reader, value });
      if (value) addLint(opened, lintSource(value));
    }
  }
  refuseRepeatedIds(journals);

  const parsedSettings = parseSection(
    settings,
    { ...readFields(globalKeys, global.reader), ...readLists(files, global.reader), subgroups },
    global,
  );
  if (parsedSettings) {
    addLint(global, lintSettings(parsedSettings));
    warnings.push(...lintLicenceMap(files.licences).map(truncateMessage));
  }
  if (!parsedSettings || problems.length > 0) {
    const listed = problems.map(({ line, message }) => ({ line, message: truncateMessage(message) }));
    return { type: "refused", problems: listed.toSorted((a, b) => a.line - b.line), warnings };
  }
  return {
    type: "imported",
    settings: parsedSettings,
    groups,
    sources: journals.map(({ value }) => value),
    warnings,
  };
}

interface OpenSection {
  keys: SectionKeys;
  reader: SectionReader;
}

/** Messages quote the file, whose lines may have any length. */
function truncateMessage(message: string): string {
  return message.length > maxMessageChars ? `${message.slice(0, maxMessageChars)}…` : message;
}

function readGroup(reader: SectionReader): object {
  return { groupId: reader.name, ...readFields(groupKeys, reader), ...knownGroupMarks.get(reader.name) };
}

function readSubgroup(reader: SectionReader): object {
  return { subgroupId: reader.name, ...readFields(subgroupKeys, reader) };
}

/** The fields of a journal. Its id is made of the group's and of Zeder's. */
function readJournal(
  reader: SectionReader,
  known: { groupIds: ReadonlySet<string>; subgroupIds: ReadonlySet<string> },
): object {
  const groupId = reader.text("zotero_group") ?? "";
  if (groupId && !known.groupIds.has(groupId))
    reader.refuse("zotero_group", `Unknown group name "${groupId}"`);
  const subgroupId = reader.text("zotero_subgroup");
  if (subgroupId !== undefined && !known.subgroupIds.has(subgroupId))
    reader.refuse("zotero_subgroup", `Unknown subgroup name "${subgroupId}"`);
  return {
    sourceId: `${groupId.toLowerCase()}-${reader.text("zeder_id") ?? ""}`,
    title: reader.name,
    // A type that is refused hides no other problem.
    type: "DIRECT",
    groupId,
    ...readFields(journalKeys, reader),
  };
}

/** A section's value when the schema accepts it; what is wrong is noted, unless the reader has noted a problem already. */
function parseSection<Schema extends z.ZodType>(
  schema: Schema,
  value: object,
  { keys, reader }: OpenSection,
): z.output<Schema> | undefined {
  const parsed = schema.safeParse(value);
  if (parsed.success) {
    const problem = sizeProblem(parsed.data as object);
    if (problem === undefined) return parsed.data;
    reader.refuse(undefined, `the section "${reader.name}" ${problem}`);
    return undefined;
  }
  if (reader.isRefused) return undefined;
  const keyOf = buildKeyLookup(keys, reader.entries);
  for (const { path, message } of parsed.error.issues) reader.refuseEntry(keyOf(path), message);
  return undefined;
}

function refuseRepeatedIds(journals: { reader: SectionReader; value: Source }[]): void {
  const titles = new Map<string, string>();
  for (const { reader, value } of journals) {
    const other = titles.get(value.sourceId);
    if (other === undefined) titles.set(value.sourceId, value.title);
    else
      reader.refuse(
        "zeder_id",
        `zeder_id ${value.zederId} of section "${value.title}" is that of "${other}"`,
      );
  }
}
