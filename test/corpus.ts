import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The reference data. */
export const corpusFolder = join(import.meta.dirname, "../../shared/corpus");

/** A folder of the reference data, which lies beside the project and is not everywhere: tests that need it are skipped. */
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
