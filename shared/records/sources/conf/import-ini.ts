import type { z } from "zod";
import { type Group, group, type Subgroup, subgroup } from "../group.ts";
import { lintLicenceMap } from "../licence.ts";
import type { ListFiles } from "../list-files.ts";
import { type Settings, settings } from "../settings.ts";
import { type Source, source } from "../source.ts";
import { type LintWarning, lintAddedFields, lintSettings, lintSource } from "./config-lint.ts";
import { knownGroupMarks } from "./group-marks.ts";
import { type DamagedSection, type IniProblem, type IniSection, parseIni } from "./ini.ts";
import { globalKeys } from "./keys/global-keys.ts";
import { groupKeys, ignoredSubgroupKeys, subgroupKeys } from "./keys/group-keys.ts";
import { journalKeys } from "./keys/journal-keys.ts";
import { buildKeyLookup, isKnownKey, readFields, type SectionKeys } from "./keys/key-table.ts";
import { readLists } from "./read-lists.ts";
import { SectionReader } from "./section-reader.ts";
import { sizeProblem } from "./stored-size.ts";
import type { UnusableSection } from "./unusable-section.ts";

/** The content of a configuration file, or all problems because of which it cannot be used. */
export type ParsedConfiguration =
  | {
      type: "imported";
      settings: Settings;
      groups: Group[];
      /** The sources of the sections that can be used. */
      sources: Source[];
      unusable: UnusableSection[];
      warnings: string[];
    }
  | { type: "refused"; problems: IniProblem[]; warnings: string[] };

interface ParseOptions {
  /** Whether any problem refuses the file, even one because of which only an entry would be left out. */
  isStrict?: boolean;
}

const maxMessageChars = 500;

/**
 * Reads a `zotero_harvester.conf`: global settings, then a section for each group, subgroup and journal. An unknown key
 * leads to a warning, and so does a bad entry that its section does not need. A journal whose section has a problem is
 * unusable. A problem of any other section refuses the file. All problems are reported at once.
 */
export function importIni(
  text: string,
  files: ListFiles = {},
  { isStrict = false }: ParseOptions = {},
): ParsedConfiguration {
  const { sections, damaged, warnings: warningsOfLines } = parseIni(text);
  const warnings = warningsOfLines.map(({ line, message }) => truncateMessage(`line ${line}: ${message}`));
  const open = (section: IniSection, keys: SectionKeys, ignoredKeys: readonly string[] = []) => {
    for (const key of section.entries.keys())
      if (!isKnownKey(keys, key) && !ignoredKeys.includes(key))
        warnings.push(truncateMessage(`Invalid ini entry "${key}" in section "${section.name}"`));
    return { keys, reader: new SectionReader(section, { warnings, isStrict }) };
  };
  const addLint = ({ reader, keys }: OpenSection, lint: LintWarning[]) => {
    const keyOf = buildKeyLookup(keys, reader.entries);
    for (const { path, message } of lint)
      warnings.push(truncateMessage(reader.describe(keyOf(path), message)));
  };

  noteDamage(damaged, sections);
  const [globalSection, ...named] = sections as [IniSection, ...IniSection[]];
  const global = open(globalSection, globalKeys);
  const groupIds = new Set(global.reader.list("groups"));
  const subgroupIds = new Set(global.reader.list("subgroups"));
  const names = new Set(named.map(({ name }) => name));
  for (const id of [...groupIds, ...subgroupIds])
    if (!names.has(id)) global.reader.refuse("groups", `there is no section for the group "${id}"`);

  const groups: Group[] = [];
  const subgroups: Subgroup[] = [];
  const journals: Journal[] = [];
  /** The sections that every journal needs. */
  const shared = [global.reader];
  for (const section of named) {
    if (groupIds.has(section.name)) {
      const opened = open(section, groupKeys);
      shared.push(opened.reader);
      const value = parseSection(group, readGroup(opened.reader), opened);
      if (value) groups.push(value);
      if (value) addLint(opened, lintAddedFields({ addFields: value.addFields }, []));
    } else if (subgroupIds.has(section.name)) {
      const opened = open(section, subgroupKeys, ignoredSubgroupKeys);
      shared.push(opened.reader);
      const value = parseSection(subgroup, readSubgroup(opened.reader), opened);
      if (value) subgroups.push(value);
    } else {
      const opened = open(section, journalKeys);
      const value = parseSection(source, readJournal(opened.reader, { groupIds, subgroupIds }), opened);
      journals.push({ reader: opened.reader, value });
      if (value) addLint(opened, lintSource(value));
    }
  }
  for (const { section } of damaged) {
    const reader = new SectionReader(section, { warnings, isStrict });
    if (groupIds.has(section.name) || subgroupIds.has(section.name)) shared.push(reader);
    else journals.push({ reader, value: undefined });
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
  const isUsable = ({ reader }: Journal) => reader.problems.length === 0;
  const problems = shared.flatMap((reader) => reader.problems);
  if (!parsedSettings || problems.length > 0 || (isStrict && !journals.every(isUsable))) {
    const all = [...problems, ...journals.flatMap(({ reader }) => reader.problems)];
    return { type: "refused", problems: listProblems(all), warnings };
  }
  return {
    type: "imported",
    settings: parsedSettings,
    groups,
    sources: journals.filter(isUsable).flatMap(({ value }) => value ?? []),
    unusable: journals
      .filter((journal) => !isUsable(journal))
      .map(({ reader }) => ({
        title: reader.name,
        line: reader.line,
        sourceId: sourceIdOf(reader),
        problems: listProblems(reader.problems),
      }))
      .toSorted((a, b) => a.line - b.line),
    warnings,
  };
}

/** The section of a journal. It has no value when its fields or its header have a problem. */
interface Journal {
  reader: SectionReader;
  value: Source | undefined;
}

/**
 * Lists the problems in the order of the file, each once, because the problem of a bad header may belong to several
 * sections.
 */
export function listProblems(problems: IniProblem[]): IniProblem[] {
  const listed = problems.map(({ line, message }) => ({ line, message: truncateMessage(message) }));
  const distinct = new Map(listed.map((problem) => [`${problem.line} ${problem.message}`, problem]));
  return [...distinct.values()].toSorted((a, b) => a.line - b.line);
}

/**
 * Passes the problem of a bad header on to each section that may be affected. One is the previous section: if the lines
 * after the bad header contain no id, they may belong to it. The others are the sections with the same name.
 */
function noteDamage(damaged: DamagedSection[], sections: IniSection[]): void {
  const byName = new Map(sections.slice(1).map((section) => [section.name, section]));
  for (const { section, after } of damaged) {
    const header = section.problems.filter(({ line }) => line === section.line);
    const namesake = byName.get(section.name);
    const doubtful = new Set([
      ...(namesake ? [namesake] : []),
      ...(section.entries.has("zeder_id") ? [] : [after]),
    ]);
    for (const one of doubtful) one.problems.push(...header);
  }
}

interface OpenSection {
  keys: SectionKeys;
  reader: SectionReader;
}

/** Truncates a message, because messages quote lines of the file, which may have any length. */
function truncateMessage(message: string): string {
  return message.length > maxMessageChars ? `${message.slice(0, maxMessageChars)}…` : message;
}

function readGroup(reader: SectionReader): object {
  return { groupId: reader.name, ...readFields(groupKeys, reader), ...knownGroupMarks.get(reader.name) };
}

function readSubgroup(reader: SectionReader): object {
  return { subgroupId: reader.name, ...readFields(subgroupKeys, reader) };
}

/** Returns the id of a journal, which consists of the group's id and the journal's id in Zeder. */
function sourceIdOf(reader: SectionReader): string {
  return `${reader.text("zotero_group")?.toLowerCase() ?? ""}-${reader.text("zeder_id") ?? ""}`;
}

/** The fields of a journal. */
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
    sourceId: sourceIdOf(reader),
    title: reader.name,
    // A placeholder, so that a refused type does not hide other problems.
    type: "DIRECT",
    groupId,
    ...readFields(journalKeys, reader),
  };
}

/**
 * Parses a section. Problems are added to the reader, unless it already has one.
 * @returns the value if the schema accepts it
 */
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

/** Refuses both of two journals with the same id, because either may have the wrong id. */
function refuseRepeatedIds(journals: Journal[]): void {
  const readers = journals
    .map(({ reader }) => reader)
    .filter((reader) => reader.text("zeder_id") !== undefined);
  for (const [, [first, ...others]] of Map.groupBy(readers, sourceIdOf)) {
    for (const other of others) {
      const refuse = (reader: SectionReader, { name }: SectionReader) =>
        reader.refuse(
          "zeder_id",
          `zeder_id ${reader.text("zeder_id")} of section "${reader.name}" is that of "${name}"`,
        );
      if (first === undefined) continue;
      refuse(first, other);
      refuse(other, first);
    }
  }
}
