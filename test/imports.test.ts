import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/**
 * Which of the project's folders each folder may import, besides itself. `shared/ports.ts` and `shared/names.ts` stand
 * for themselves; ports are types alone.
 */
const allowed: Record<string, string[]> = {
  infra: ["shared/names.ts", "shared/core", "shared/delivery", "shared/harvest", "shared/links"],
  functions: ["shared/*"],
  "shared/names.ts": [],
  "shared/ports.ts": ["shared/*"],
  "shared/core": [],
  "shared/web": ["shared/core"],
  "shared/marc": ["shared/core"],
  "shared/sources": ["shared/core", "shared/web"],
  "shared/mail": ["shared/core", "shared/ports.ts"],
  "shared/links": ["shared/core", "shared/web", "shared/sources", "shared/ports.ts"],
  "shared/harvest": ["shared/core", "shared/web", "shared/marc", "shared/sources", "shared/ports.ts"],
  "shared/validation": ["shared/core", "shared/marc", "shared/sources"],
  "shared/delivery": [
    "shared/core",
    "shared/marc",
    "shared/sources",
    "shared/harvest",
    "shared/validation",
    "shared/names.ts",
    "shared/ports.ts",
  ],
  "shared/api": [
    "shared/core",
    "shared/web",
    "shared/marc",
    "shared/sources",
    "shared/harvest",
    "shared/links",
    "shared/validation",
    "shared/delivery",
    "shared/ports.ts",
  ],
  "shared/aws": [
    "shared/core",
    "shared/web",
    "shared/marc",
    "shared/sources",
    "shared/harvest",
    "shared/links",
    "shared/mail",
    "shared/validation",
    "shared/delivery",
    "shared/names.ts",
    "shared/ports.ts",
  ],
  "shared/runtime": ["shared/core", "shared/delivery", "shared/aws"],
  local: ["infra", "shared/*"],
  bench: ["infra", "local", "shared/*"],
};

/** Packages that one place alone may import: it is the only way to what they do. */
const exclusive: { packages: RegExp; what: string; folders: string[] }[] = [
  { packages: /^@aws-sdk\//, what: "the AWS SDK", folders: ["shared/aws", "local/cloud"] },
  { packages: /^aws-cdk-lib|^constructs$|^cdk-nag$/, what: "the CDK", folders: ["infra"] },
  { packages: /^ssh2/, what: "SFTP", folders: ["shared/delivery"] },
  { packages: /^@middy\//, what: "middy", folders: ["shared/runtime"] },
];

interface Import {
  file: string;
  folder: string;
  target: string;
}

const imports = globSync("{infra,functions,shared,local,bench}/**/*.{ts,js}", { cwd: root }).flatMap(
  importsOf,
);

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(
    /\b(?:import|export)\b[^"';]*?\bfrom\s*["']([^"']+)["']|\bimport\s*\(\s*["'`]([^"'`]+)["'`]|\bimport\s*["']([^"']+)["']/g,
  );
  return [...found].map(([, from, dynamic, bare]) => {
    const name = from ?? dynamic ?? bare ?? "";
    const target = name.startsWith(".") ? normalize(join(dirname(file), name)) : name;
    return { file, folder: folderOf(file), target };
  });
}

/** `shared/web/gate/gate.ts` belongs to `shared/web`, `infra/stacks/api.ts` to `infra`, `shared/names.ts` to itself. */
function folderOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
  return top === "shared" ? `${top}/${second}` : top;
}

function permits(folder: string, target: string): boolean {
  const to = folderOf(target);
  return (
    to === folder ||
    (allowed[folder] ?? []).some(
      (pattern) => pattern === to || (pattern === "shared/*" && to.startsWith("shared/")),
    )
  );
}

describe("imports", () => {
  it("every folder has its rule", () => {
    const folders = new Set(imports.map(({ folder }) => folder));
    expect([...folders].filter((folder) => !(folder in allowed))).toEqual([]);
  });

  it("point one way only", () => {
    const own = imports.filter(({ target }) => /^(infra|functions|shared|local|bench|test)\//.test(target));
    expect(own.length).toBeGreaterThan(100);
    const wrong = own.filter(({ folder, target }) => !permits(folder, target));
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it.each(exclusive)("$what: only $folders", ({ packages, folders }) => {
    const wrong = imports.filter(
      ({ file, target }) =>
        packages.test(target) && !folders.some((folder) => relative(folder, file).startsWith("..") === false),
    );
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });
});
