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

/** What a configuration file holds, or all that makes it unusable. */
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
  /** Any problem refuses the file, also that of an entry that would be left out. */
  isStrict?: boolean;
}

const maxMessageChars = 500;

/**
 * Reads a `zotero_harvester.conf`: global settings, then a section for each group, subgroup and journal. An unknown key
 * is a warning, and so is an entry that its section can do without. A journal whose section has a problem is unusable.
 * A problem of another section refuses the file. All problems are reported at once.
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
  /** Those without which no journal can be used. */
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

/** A journal's section. It has no value when its fields have a problem, or its header has. */
interface Journal {
  reader: SectionReader;
  value: Source | undefined;
}

/** In the order of the file. A bad header is a problem of several sections. */
export function listProblems(problems: IniProblem[]): IniProblem[] {
  const listed = problems.map(({ line, message }) => ({ line, message: truncateMessage(message) }));
  const distinct = new Map(listed.map((problem) => [`${problem.line} ${problem.message}`, problem]));
  return [...distinct.values()].toSorted((a, b) => a.line - b.line);
}

/**
 * Passes the problem of a bad header on to each section that it makes doubtful: the one before, if the lines after the
 * header have no id of their own and so may belong to it, and the ones of the same name.
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

/** The id of a journal is made of the group's and of Zeder's. */
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
    // A type that is refused hides no other problem.
    type: "DIRECT",
    groupId,
    ...readFields(journalKeys, reader),
  };
}

/**
 * A section's value when the schema accepts it; what is wrong is noted, unless the reader has noted a problem already.
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

/** Either of two journals with the same id may have the wrong one. */
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
