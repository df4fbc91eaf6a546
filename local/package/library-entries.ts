import { readdirSync } from "node:fs";
import { join } from "node:path";

/** A part of the package that programs import as `ingather/NAME`. */
export interface LibraryEntry {
  name: string;
  /** From the root of the repository. */
  file: string;
}

/** The entries of the library, in the order of their names. */
export function libraryEntries(root: string): LibraryEntry[] {
  return readdirSync(join(root, "local/library"))
    .sort()
    .map((name) => ({ name: name.replace(/\.ts$/, ""), file: `local/library/${name}` }));
}
