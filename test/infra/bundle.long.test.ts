import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { deflateRawSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { anyEnvironment } from "../../infra/any-environment.ts";
import { bundleFunctions, functionFiles } from "../../infra/bundle.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const folder = temporaryFolder();
const names = [...functionFiles().keys()];
beforeAll(() => bundleFunctions(folder, { apart: true }));

/** The files that a bundled file loads, now or later. */
function imports(file: string): string[] {
  const code = readFileSync(file, "utf8");
  return [...code.matchAll(/\b(?:from|import) ?\(?"\.\/([\w.-]+\.mjs)"/g)].map(([, name = ""]) => name);
}

/** The files that a function is bundled from. */
function sourcesOf(name: string): string[] {
  const maps = readdirSync(join(folder, name)).filter((file) => file.endsWith(".map"));
  return maps.flatMap((map) => JSON.parse(readFileSync(join(folder, name, map), "utf8")).sources);
}

describe("the folder of a function", () => {
  it("has all that the function loads, with source maps", () => {
    expect(names.length).toBeGreaterThan(25);
    for (const name of names) {
      const own = join(folder, name);
      const loaded = new Set([`${name}.mjs`]);
      for (const file of loaded) for (const imported of imports(join(own, file))) loaded.add(imported);
      const files = readdirSync(own);
      const expected = [...loaded].flatMap((file) => [file, `${file}.map`]);
      expect(
        expected.filter((file) => !files.includes(file)),
        name,
      ).toEqual([]);
    }
  });

  it("loads alone, and has a handler", async () => {
    const code = names.map((name) => {
      const module = pathToFileURL(join(folder, name, `${name}.mjs`));
      return `console.log("${name}", typeof (await import("${module}")).handler);`;
    });
    const env = { ...process.env, ...anyEnvironment };
    const args = ["--input-type=module", "--eval", `${code.join("\n")} process.exit(0);`];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(stdout.trimEnd().split("\n")).toEqual(names.map((name) => `${name} function`));
  });

  it("is at most 1 MB as Lambda stores it, 2 MB with data", () => {
    const sizeOf = (name: string) =>
      readdirSync(join(folder, name))
        .map((file) => deflateRawSync(readFileSync(join(folder, name, file))).length)
        .reduce((sum, size) => sum + size, 0);
    const withData = new Set(["read-article", "reconvert-records"]);
    expect(names.filter((name) => sizeOf(name) > (withData.has(name) ? 2 : 1) * 1024 ** 2)).toEqual([]);
  });

  it("of the console has no route: its pages know the types of answers, not their schemas", () => {
    const sources = sourcesOf("console");
    expect(sources.filter((source) => /\bshared\/\w+\/pages\//.test(source)).length).toBeGreaterThan(25);
    expect(
      sources.filter((source) => /\bshared\/[\w-]+\/routes\/[\w-]+-(routes|answers?)\.ts$/.test(source)),
    ).toEqual([]);
  });

  it("is made of its own file and of what that imports: a change of another function does not deploy it", () => {
    const files = functionFiles();
    for (const name of names) {
      const sources = sourcesOf(name);
      const functions = new Set(
        sources.flatMap(
          (source) => /^(?!.*node_modules).*\bfunctions\/[\w-]+\/([\w-]+\.ts)$/.exec(source)?.[1] ?? [],
        ),
      );
      expect(functions, name).toEqual(new Set([basename(files.get(name) ?? "")]));
    }
  });
});
