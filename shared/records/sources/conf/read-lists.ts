import { readLicenceMap } from "../licence.ts";
import { type ListFiles, listFileNames } from "../list-files.ts";
import type { NewSettings } from "../settings.ts";
import type { SectionReader } from "./section-reader.ts";

type Lists = Required<Pick<NewSettings, keyof ListFiles>>;

/**
 * Reads the lists of the settings. A list that is not given is empty. Problems of the licence map are added to the
 * reader.
 */
export function readLists(files: ListFiles, reader: SectionReader): Lists {
  return {
    nameBlacklist: linesOf(files.nameBlacklist),
    genreKeywords: linesOf(files.genreKeywords),
    licences: readLicences(files.licences, reader),
  };
}

function readLicences(text = "", reader: SectionReader): Lists["licences"] {
  const map = readLicenceMap(text);
  if (map.type === "read") return map.licences;
  reader.refuse("enhancement_maps_directory", `${listFileNames.licences}: ${map.problem}`);
  return {};
}

function linesOf(text = ""): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith("#"));
}
