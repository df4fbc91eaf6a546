import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ending = ".toml";

/** Returns the files in `built-in/`, by id in order. Bundles contain the files instead of this module. */
export function readBuiltInFiles(): Record<string, string> {
  const folder = join(import.meta.dirname, "built-in");
  const names = readdirSync(folder).filter((name) => name.endsWith(ending));
  return Object.fromEntries(
    names.toSorted().map((name) => [name.slice(0, -ending.length), readFileSync(join(folder, name), "utf8")]),
  );
}
