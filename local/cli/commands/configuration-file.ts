import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { InputError } from "../../../shared/core/errors.ts";
import type { ConfigurationInput } from "../../../shared/records/sources/conf/import-configuration.ts";
import { parseIni } from "../../../shared/records/sources/conf/ini.ts";
import type { ListFolder } from "../../../shared/records/sources/conf/list-warnings.ts";
import { type ListFiles, listFileNames } from "../../../shared/records/sources/list-files.ts";
import { readTextFile } from "./read-text-file.ts";

/**
 * Reads a `zotero_harvester.conf` and its lists. The lists are in the folder `maps`, or in the folder that
 * the file names, relative to the file.
 * @throws InputError when a file cannot be read, or when the given folder has none of the lists
 */
export async function readConfigurationFile(
  argument: string,
  path: string,
  maps?: string,
): Promise<ConfigurationInput & { listFolder: ListFolder }> {
  const ini = await readTextFile(argument, path);
  const named = parseIni(ini).sections[0]?.entries.get("enhancement_maps_directory")?.value ?? "";
  const folder = maps ?? resolve(dirname(path), named);
  const files: ListFiles = {};
  for (const [list, name] of Object.entries(listFileNames)) {
    const file = join(folder, name);
    if (existsSync(file)) files[list as keyof ListFiles] = await readTextFile("--maps", file);
  }
  if (maps !== undefined && Object.keys(files).length === 0) {
    const names = Object.values(listFileNames).join(", ");
    throw new InputError("--maps", maps, `must be a folder with at least one of ${names}`);
  }
  return { ini, files, listFolder: { path: folder, exists: existsSync(folder) } };
}
