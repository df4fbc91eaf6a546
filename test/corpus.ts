import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the reference data. */
export const corpusFolder = join(import.meta.dirname, "../../shared/corpus");

/**
 * Opens a folder of the reference data. These data are beside the project and not available everywhere; tests
 * that need them are then skipped.
 */
export function openCorpus(folder: string) {
  const path = join(corpusFolder, folder);
  return {
    isAbsent: !existsSync(path),
    path: (file: string) => join(path, file),
    filesIn: (inside = "") => readdirSync(join(path, inside)),
    bytes: (file: string) => readFileSync(join(path, file)),
    text: (file: string) => readFileSync(join(path, file), "utf8"),
  };
}
