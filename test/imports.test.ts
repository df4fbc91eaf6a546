import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/**
 * The rooms of `shared/`, from the ground up. A room imports the rooms of the lines above its own; rooms of one line do
 * not import each other.
 */
const floors: string[][] = [
  ["core"],
  ["identifiers"],
  ["marc"],
  ["web"],
  // Names of queues and functions derive from the kinds of requests.
  ["names.ts"],
  ["metadata"],
  ["oai"],
  ["sources"],
  ["events", "mail"],
  ["archive"],
  ["runs"],
  ["convert", "validation"],
  ["documents"],
  ["harvest"],
  ["links", "delivery", "snapshots", "check-set"],
  ["today"],
  ["api"],
  ["console"],
  ["adapters"],
  ["runtime"],
];

/** Which folders outside `shared/` each folder may import, besides itself; `shared` stands for all of its rooms. */
const allowed: Record<string, string[]> = {
  infra: ["shared"],
  functions: ["shared"],
  local: ["infra", "shared"],
  bench: ["infra", "local", "shared"],
};

/** Packages that one place alone may import: it is the only way to what they do. */
const exclusive: { packages: RegExp; what: string; folders: string[] }[] = [
  { packages: /^@aws-sdk\//, what: "the AWS SDK", folders: ["shared/adapters/aws", "local/cloud"] },
  { packages: /^aws-cdk-lib|^constructs$|^cdk-nag$/, what: "the CDK", folders: ["infra"] },
  { packages: /^ssh2/, what: "SFTP", folders: ["shared/adapters/sftp"] },
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

const isOwn = ({ target }: Import) => /^(infra|functions|shared|local|bench|test)\//.test(target);

function permits(folder: string, target: string): boolean {
  const to = folderOf(target);
  if (to === folder) return true;
  const [top = "", room = ""] = to.split("/");
  if (!folder.startsWith("shared/")) return (allowed[folder] ?? []).includes(top);
  const floor = floorOf(folder.split("/")[1] ?? "");
  return top === "shared" && floorOf(room) >= 0 && floorOf(room) < floor;
}

function floorOf(room: string): number {
  return floors.findIndex((rooms) => rooms.includes(room));
}

/** The files on a way of imports that leads back to where it began; undefined when there is none. */
function findCircle(): string[] | undefined {
  const targets = Map.groupBy(imports.filter(isOwn), ({ file }) => file);
  const done = new Set<string>();
  const visit = (file: string, way: string[]): string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const { target } of targets.get(file) ?? []) {
      const circle = visit(target, [...way, file]);
      if (circle !== undefined) return circle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of targets.keys()) {
    const circle = visit(file, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

describe("imports", () => {
  it("every folder has its rule", () => {
    const folders = new Set(imports.map(({ folder }) => folder));
    const known = [...Object.keys(allowed), ...floors.flat().map((room) => `shared/${room}`)];
    expect([...folders].filter((folder) => !known.includes(folder))).toEqual([]);
  });

  it("point one way only", () => {
    const own = imports.filter(isOwn);
    expect(own.length).toBeGreaterThan(100);
    const wrong = own.filter(({ folder, target }) => !permits(folder, target));
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it("no circle between files", () => {
    expect(findCircle()).toBeUndefined();
  });

  it.each(exclusive)("$what: only $folders", ({ packages, folders }) => {
    const wrong = imports.filter(
      ({ file, target }) =>
        packages.test(target) && !folders.some((folder) => relative(folder, file).startsWith("..") === false),
    );
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it("zod is imported as a namespace: by its object, each bundle would hold all of it, with its forty languages", () => {
    const files = new Set(imports.filter(({ target }) => target === "zod").map(({ file }) => file));
    expect(files.size).toBeGreaterThan(50);
    const whole = [...files].filter((file) =>
      /^import \{ ?z\b.*\} from "zod"/m.test(readFileSync(join(root, file), "utf8")),
    );
    expect(whole).toEqual([]);
  });
});
