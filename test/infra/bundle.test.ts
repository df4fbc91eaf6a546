import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleFunctions, functionFiles } from "../../infra/bundle.ts";

const folder = mkdtempSync(join(tmpdir(), "bundles-"));
const names = [...functionFiles().keys()];
beforeAll(() => bundleFunctions(folder, { apart: true }));
afterAll(() => rmSync(folder, { recursive: true }));

/** The files that a bundled file loads, now or later. */
function imports(file: string): string[] {
  const code = readFileSync(file, "utf8");
  return [...code.matchAll(/\b(?:from|import) ?\(?"\.\/([\w.-]+\.mjs)"/g)].map(([, name = ""]) => name);
}

describe("the folder of a function", () => {
  it("has all that the function loads, with source maps, and nothing else", () => {
    expect(names.length).toBeGreaterThan(25);
    for (const name of names) {
      const own = join(folder, name);
      const loaded = new Set([`${name}.mjs`]);
      for (const file of loaded) for (const imported of imports(join(own, file))) loaded.add(imported);
      const expected = [...loaded].flatMap((file) => [file, `${file}.map`]).sort();
      expect(readdirSync(own).sort(), name).toEqual(expected);
    }
  });

  it("takes no space of its own: its files are those of the common folder", () => {
    const [name = ""] = names;
    expect(statSync(join(folder, name, `${name}.mjs`)).ino).toBe(statSync(join(folder, `${name}.mjs`)).ino);
    expect(existsSync(join(folder, `${name}.mjs.map`))).toBe(true);
  });
});
