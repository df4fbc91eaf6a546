import type { z } from "zod";
import { type Group, group, type Subgroup, subgroup } from "../group.ts";
import { lintLicenceMap } from "../licence.ts";
import { type Settings, settings } from "../settings.ts";
import { type Source, source } from "../source.ts";
import { type LintWarning, lintAddedFields, lintSettings, lintSource } from "./config-lint.ts";
import type { EnhancementFiles } from "./enhancement-files.ts";
import { filterKey, groupFilters } from "./import-filters.ts";
import { readGlobals, readGroup, readSubgroup } from "./import-globals.ts";
import { readJournal } from "./import-journal.ts";
import { type IniProblem, type IniSection, parseIni } from "./ini.ts";
import { globalKeys, groupKeys, isHostDelayKey, journalKeys } from "./ini-keys.ts";
import { buildKeyLookup } from "./schema-keys.ts";
import { SectionReader } from "./section-reader.ts";
import { sizeProblem } from "./stored-size.ts";

/** What a configuration file holds, or all that makes it unusable. */
export type ParsedConfiguration =
  | { type: "imported"; settings: Settings; groups: Group[]; sources: Source[]; warnings: string[] }
  | { type: "refused"; problems: IniProblem[]; warnings: string[] };

const maxMessageChars = 500;

/**
 * Reads a `zotero_harvester.conf`: global settings, then a section for each group, subgroup and journal. An unknown key
 * is a warning; anything else that is wrong refuses the file, and all of it is told.
 */
export function importIni(text: string, files: EnhancementFiles = {}): ParsedConfiguration {
  const { sections, problems, warnings: ofLines } = parseIni(text);
  const warnings = ofLines.map(({ line, message }) => truncateMessage(`line ${line}: ${message}`));
  const readerOf = (section: IniSection, isKnown: (key: string) => boolean) => {
    for (const key of section.entries.keys())
      if (!isKnown(key))
        warnings.push(truncateMessage(`Invalid ini entry "${key}" in section "${section.name}"`));
    return new SectionReader(section, { problems, warnings });
  };

  const addLint = (reader: SectionReader, doubts: LintWarning[]) => {
    const keyOf = buildKeyLookup(reader.entries);
    for (const { path, message } of doubts)
      warnings.push(truncateMessage(reader.describe(keyOf(path), message)));
  };

  const [globalSection, ...named] = sections as [IniSection, ...IniSection[]];
  const globals = readerOf(
    globalSection,
    (key) => globalKeys.has(key) || isHostDelayKey(key) || isFilterKey(key),
  );
  const groupIds = new Set(globals.list("groups"));
  const subgroupIds = new Set(globals.list("subgroups"));
  const names = new Set(named.map(({ name }) => name));
  for (const id of [...groupIds, ...subgroupIds])
    if (!names.has(id)) globals.refuse("groups", `there is no section for the group "${id}"`);

  const groups: Group[] = [];
  const subgroups: Subgroup[] = [];
  const journals: { reader: SectionReader; value: Source }[] = [];
  for (const section of named) {
    if (groupIds.has(section.name)) {
      const reader = readerOf(section, (key) => groupKeys.has(key) || isGroupFilterKey(key));
      const value = parseSection(group, readGroup(reader), reader);
      if (value) groups.push(value);
      if (value) addLint(reader, lintAddedFields({ addFields: value.addFields }, []));
    } else if (subgroupIds.has(section.name)) {
      const reader = readerOf(section, (key) => groupKeys.has(key));
      const value = parseSection(subgroup, readSubgroup(reader), reader);
      if (value) subgroups.push(value);
    } else {
      const reader = readerOf(section, (key) => journalKeys.has(key) || isFilterKey(key));
      const value = parseSection(source, readJournal(reader, { groupIds, subgroupIds }), reader);
      if (value) journals.push({ reader, value });
      if (value) addLint(reader, lintSource(value));
    }
  }
  refuseRepeatedIds(journals);

  const parsedSettings = parseSection(settings, { ...readGlobals(globals, files), subgroups }, globals);
  if (parsedSettings) {
    addLint(globals, lintSettings(parsedSettings));
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

/** Messages quote the file, whose lines may have any length. */
function truncateMessage(message: string): string {
  return message.length > maxMessageChars ? `${message.slice(0, maxMessageChars)}…` : message;
}

function isFilterKey(key: string): boolean {
  return filterKey(key) !== undefined;
}

function isGroupFilterKey(key: string): boolean {
  const found = filterKey(key);
  return found !== undefined && groupFilters.includes(found.kind);
}

/** A section's value when the schema accepts it; what is wrong is noted, unless the reader has noted it already. */
function parseSection<Schema extends z.ZodType>(
  schema: Schema,
  value: z.input<Schema>,
  reader: SectionReader,
): z.output<Schema> | undefined {
  const parsed = schema.safeParse(value);
  if (parsed.success) {
    const problem = sizeProblem(parsed.data as object);
    if (problem === undefined) return parsed.data;
    reader.refuse(undefined, `the section "${reader.name}" ${problem}`);
    return undefined;
  }
  if (reader.isRefused) return undefined;
  const keyOf = buildKeyLookup(reader.entries);
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
