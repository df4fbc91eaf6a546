import { InputError } from "../../../shared/core/errors.ts";
import { importIni } from "../../../shared/records/sources/conf/import-ini.ts";
import type { IniProblem } from "../../../shared/records/sources/conf/ini.ts";
import { warningsOfMissingLists } from "../../../shared/records/sources/conf/list-warnings.ts";
import type { Configuration } from "../../../shared/records/sources/configuration.ts";
import type { Group } from "../../../shared/records/sources/group.ts";
import type { Settings } from "../../../shared/records/sources/settings.ts";
import type { Source } from "../../../shared/records/sources/source.ts";
import { readConfigurationFile } from "./configuration-file.ts";

export const configuredSourceUsage = `  --config FILE    the configuration: a zotero_harvester.conf
  --source NAME    a journal in it: the title of its section, or its id (ixtheo-1167)
  --maps DIR       the folder of the name blacklist, keywords and licences (default: the folder that FILE names)`;

export const configuredSourceOptions = {
  config: { type: "string" },
  source: { type: "string" },
  maps: { type: "string" },
} as const;

export interface ConfiguredSource {
  source: Source;
  group: Group;
  settings: Settings;
  warnings: string[];
}

/**
 * Reads the source that the options name, with its group and settings.
 * @throws InputError with all problems of the file or of the source's section, or with the sources of similar
 *   names
 */
export async function readConfiguredSource(values: {
  config?: string;
  source?: string;
  maps?: string;
}): Promise<ConfiguredSource> {
  const { config, source: name, maps } = values;
  if (config === undefined) throw new InputError("--config", "", "must name a configuration file");
  if (name === undefined) throw new InputError("--source", "", "must name a source of the configuration");
  const { ini, files, listFolder } = await readConfigurationFile("--config", config, maps);
  const imported = importIni(ini, files);
  if (imported.type === "refused") {
    throw new InputError("--config", config, `cannot be used:${describeProblems(imported.problems)}\n `);
  }
  const unusable = imported.unusable.find(({ title, sourceId }) => title === name || sourceId === name);
  if (unusable !== undefined) {
    const problems = describeProblems(unusable.problems);
    throw new InputError("--source", name, `its section cannot be used:${problems}\n `);
  }
  const source = findSource(name, imported);
  const group = imported.groups.find(({ groupId }) => groupId === source.groupId);
  if (group === undefined)
    throw new InputError(
      "zotero_group",
      source.groupId,
      "no group has this name; add its section or correct the name",
    );
  const warnings = [...imported.warnings, ...warningsOfMissingLists(files, { place: listFolder })];
  return { source, group, settings: imported.settings, warnings };
}

function describeProblems(problems: IniProblem[]): string {
  return problems.map(({ line, message }) => `\n  line ${line}: ${message}`).join("");
}

function findSource(name: string, { sources }: Pick<Configuration, "sources">): Source {
  const found = sources.find(({ title, sourceId }) => title === name || sourceId === name);
  if (found !== undefined) return found;
  const alike = sources.filter(({ title }) => title.toLowerCase().includes(name.toLowerCase())).slice(0, 5);
  const hint =
    alike.length === 0 ? "" : `; similar: ${alike.map(({ title }) => JSON.stringify(title)).join(", ")}`;
  throw new InputError(
    "--source",
    name,
    `no source has this name or id (${sources.length} in the file)${hint}`,
  );
}
