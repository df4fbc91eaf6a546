import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listFileNames } from "../../../../shared/records/sources/list-files.ts";

/** Puts the folder of maps of the small configuration beside it, with lists that hold nothing: none is missed then. */
export function writeEmptyLists(folder: string): void {
  mkdirSync(join(folder, "maps"));
  for (const name of Object.values(listFileNames)) writeFileSync(join(folder, "maps", name), "");
}
