import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const table = /^## To change X, open Y\n(.*?)^## /ms;

/** Which files each row of the table in CONTRIBUTING.md names, by what is to change. */
export function namedFiles(): Map<string, (file: string) => boolean> {
  const [, rows = ""] = table.exec(readFileSync(join(root, "CONTRIBUTING.md"), "utf8")) ?? [];
  return new Map(
    rows
      .split("\n")
      .filter((line) => line.startsWith("| ") && !line.startsWith("| to change"))
      .map((line) => {
        const [what = "", where = ""] = line.slice(2, -2).split(" | ");
        return [what, isNamed(where)] as const;
      }),
  );
}

/** Files may be named whole, by their folder, or by their name beside the file or in the folder before. */
function isNamed(where: string): (file: string) => boolean {
  const names: ((file: string) => boolean)[] = [];
  let folder = "";
  for (const [, name = ""] of where.matchAll(/`([\w…./-]+)`/g)) {
    if (/^(shared|functions|infra|local|docs|events|bench|test)\//.test(name)) {
      folder = name.endsWith("/") ? name : name.replace(/[^/]*$/, "");
      names.push((file) => file === name || (name.endsWith("/") && file.startsWith(name)));
    } else if (name.endsWith("/")) {
      // A folder of each wing, such as `routes/`.
      names.push((file) => file.includes(`/${name}`));
    } else if (name.startsWith("…")) {
      names.push((file) => file.endsWith(name.slice(1)));
    } else {
      const beside = folder + name;
      names.push((file) => file === beside);
    }
  }
  return (file) => names.some((named) => named(file));
}
