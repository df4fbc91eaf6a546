import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { libraryEntries } from "../../../local/package/library-entries.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { libraryExamples } from "./examples.ts";

const root = join(import.meta.dirname, "../../..");
const entries = libraryEntries(root);
const names = entries.map(({ name }) => name);
const options = {
  absWorkingDir: root,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  write: false,
} as const;

describe("the library", () => {
  it("is what the package exports, each entry with its types", () => {
    const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const expected = names.map((name) => [
      `./${name}`,
      { types: `./dist/types/local/library/${name}.d.ts`, default: `./dist/library/${name}.js` },
    ]);
    expect(names.length).toBe(6);
    expect(exports).toEqual({ ...Object.fromEntries(expected), "./package.json": "./package.json" });
  });

  it.each(entries)("$name → has neither AWS nor the CDK in its graph, and no socket", async ({ file }) => {
    const { metafile } = await build({ ...options, entryPoints: [file], metafile: true });
    const inputs = Object.entries(metafile.inputs);
    expect(inputs.length).toBeGreaterThan(3);
    const packages = inputs.flatMap(([, { imports }]) =>
      imports.filter(({ external }) => external).map(({ path }) => path),
    );
    expect(
      packages.filter((path) => /^(@aws-sdk|@smithy|aws-cdk-lib|constructs|undici|ssh2)/.test(path)),
    ).toEqual([]);
    expect(packages.filter((path) => /^(node:)?(net|tls|https?|http2|dns|dgram)$/.test(path))).toEqual([]);
    const other = /^(?!local\/library\/|shared\/(?!adapters|api|console|runtime|operations))/;
    expect(inputs.map(([path]) => path).filter((path) => other.test(path))).toEqual([]);
  });
});

describe("the examples of the library's document", () => {
  const examples = libraryExamples(root);

  it("are one for each entry", () => {
    expect(examples.map(({ name }) => name).sort()).toEqual(names);
  });

  it.each(examples)("$name → prints what the document says", async ({ name, code, output }) => {
    const { outputFiles } = await build({
      ...options,
      stdin: { contents: code, resolveDir: root },
      alias: { [`ingather/${name}`]: join(root, `local/library/${name}.ts`) },
    });
    const folder = temporaryFolder();
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const file = join(folder, "example.mjs");
    writeFileSync(file, outputFiles[0]?.contents ?? "");
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env: {} });
    expect(stdout).toBe(output);
  });
});
