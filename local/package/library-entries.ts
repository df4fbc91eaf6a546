import { readdirSync } from "node:fs";
import { join } from "node:path";

/** A part of the package that programs import as `ingather/NAME`. */
export interface LibraryEntry {
  name: string;
  /** The path from the root of the repository. */
  file: string;
}

/** Returns the entries of the library, ordered by name. */
export function libraryEntries(root: string): LibraryEntry[] {
  return readdirSync(join(root, "local/library"))
    .sort()
    .map((name) => ({ name: name.replace(/\.ts$/, ""), file: `local/library/${name}` }));
}
