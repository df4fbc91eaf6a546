import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = import.meta.dirname;
const modules = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (path) =>
    path.endsWith(".ts") &&
    !path.endsWith(".test.ts") &&
    path !== "each-file.ts" &&
    !path.includes("node_modules"),
);

it.each([
  ["set hooks", /^(before|after)(All|Each)\(/m],
  ["make folders", /^(export )?const .*= temporaryFolder\(/m],
])(
  "modules that several files import do not %s as they load: they load once per process",
  (_what, pattern) => {
    expect(modules.filter((path) => pattern.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
  },
);
