import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/**
 * The folders of `shared/` by layer, from the lowest to the highest. A folder may import folders of lower
 * layers, but not of its own layer. The wings, one per capability, are in the same layer.
 */
const floors: string[][] = [
  ["core"],
  ["identifiers"],
  ["xml"],
  ["marc"],
  ["web"],
  // Names of queues and functions are derived from the kinds of requests.
  ["names.ts"],
  ["formats"],
  ["records"],
  ["adapters"],
  ["api"],
  ["console"],
  ["harvest", "deliver", "links", "snapshots", "check-set", "give-back"],
  ["operations"],
  ["runtime"],
];

/** Folders with a domain, and with the folders `routes`, `pages` and `stores` beside their concepts. */
const wings = ["harvest", "deliver", "links", "snapshots", "check-set", "give-back", "operations"];

/**
 * What each part of a wing may not import. The domain imports neither its stores nor its routes and pages; a
 * page imports only the API's responses, and what all parts share.
 */
const unknownTo: Record<string, string[]> = {
  domain: ["stores", "routes", "pages", "adapters", "api", "console"],
  stores: ["routes", "pages", "console"],
  routes: ["stores", "pages", "adapters", "console"],
  pages: ["domain", "stores", "adapters", "web", "marc", "xml", "formats"],
};

/**
 * Which folders outside `shared/` each folder may import, besides itself. `shared` stands for all of its
 * folders.
 */
const allowed: Record<string, string[]> = {
  infra: ["shared"],
  functions: ["shared"],
  local: ["infra", "shared"],
  bench: ["infra", "local", "shared"],
};

/** Packages that only one place may import, because it is the only access to their functions. */
const exclusive: { packages: RegExp; what: string; folders: string[] }[] = [
  { packages: /^@aws-sdk\//, what: "the AWS SDK", folders: ["shared/adapters/aws", "local/cloud"] },
  { packages: /^aws-cdk-lib|^constructs$|^cdk-nag$/, what: "the CDK", folders: ["infra"] },
  { packages: /^ssh2/, what: "SFTP", folders: ["shared/adapters/sftp"] },
  // Benchmarks compare with it.
  { packages: /^saxes$/, what: "saxes", folders: ["shared/xml", "bench"] },
  { packages: /^@middy\//, what: "middy", folders: ["shared/runtime"] },
];

interface Import {
  file: string;
  folder: string;
  target: string;
}

const files = globSync("{infra,functions,shared,local,bench}/**/*.{ts,js}", { cwd: root }).map(
  (file): [file: string, text: string] => [file, readFileSync(join(root, file), "utf8")],
);
const imports = files.flatMap(([file, text]) => importsOf(file, text));

function importsOf(file: string, text: string): Import[] {
  const found = text.matchAll(
    /\b(?:import|export)\b[^"';]*?\bfrom\s*["']([^"']+)["']|\bimport\s*\(\s*["'`]([^"'`]+)["'`]|\bimport\s*["']([^"']+)["']/g,
  );
  return [...found].map(([, from, dynamic, bare]) => {
    const name = from ?? dynamic ?? bare ?? "";
    const target = name.startsWith(".") ? normalize(join(dirname(file), name)) : name;
    return { file, folder: folderOf(file), target };
  });
}

/**
 * Returns the folder that a rule names: `shared/web` for `shared/web/gate/gate.ts`, `infra` for
 * `infra/stacks/api.ts`, and `shared/names.ts` for itself.
 */
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

/**
 * Returns the part of a wing, or the folder: `pages` for `shared/links/pages/collection.ts`, `domain` for
 * `shared/links/verdict/verdict.ts`, `web` for `shared/web/…`.
 */
function partOf(path: string): string {
  const [, room = "", folder = ""] = path.split("/");
  if (!wings.includes(room)) return room;
  return ["routes", "pages", "stores"].includes(folder) ? folder : "domain";
}

type Graph = Map<string, Set<string>>;

/**
 * Returns the imports between the files and folders of each folder, at every depth. An import between two
 * files counts for the innermost folder that contains both, between its files or folders that contain them.
 */
function foldersOf(own: readonly Import[]): Map<string, Graph> {
  const folders = new Map<string, Graph>();
  for (const { file, target } of own) {
    const from = file.split("/");
    const to = target.split("/");
    const shared = from.findIndex((name, depth) => name !== to[depth]);
    if (shared < 0) continue;
    const folder = from.slice(0, shared).join("/");
    const graph = folders.get(folder) ?? new Map();
    const name = from[shared] ?? "";
    folders.set(folder, graph.set(name, (graph.get(name) ?? new Set()).add(to[shared])));
  }
  return folders;
}

/** Returns the names on a circular path through the graph; undefined if there is none. */
function findCircle(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  const visit = (name: string, way: string[]): string[] | undefined => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const target of graph.get(name) ?? []) {
      const circle = visit(target, [...way, name]);
      if (circle !== undefined) return circle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of graph.keys()) {
    const circle = visit(name, []);
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

  it("no circle between the files and folders of a folder, at any depth", () => {
    const folders = foldersOf(imports.filter(isOwn));
    expect(folders.size).toBeGreaterThan(50);
    const circles = [...folders].flatMap(([folder, graph]) => {
      const circle = findCircle(graph);
      return circle === undefined ? [] : [`${folder}: ${circle.join(" → ")}`];
    });
    expect(circles).toEqual([]);
  });

  it("the domain of a wing does not know its stores, routes and pages, nor a page the domain", () => {
    const inWings = imports.filter(
      ({ file, target }) =>
        file.startsWith("shared/") &&
        wings.includes(file.split("/")[1] ?? "") &&
        target.startsWith("shared/"),
    );
    expect(inWings.length).toBeGreaterThan(1000);
    const wrong = inWings.filter(({ file, target }) => unknownTo[partOf(file)]?.includes(partOf(target)));
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it.each(exclusive)("$what: only $folders", ({ packages, folders }) => {
    const wrong = imports.filter(
      ({ file, target }) =>
        packages.test(target) && !folders.some((folder) => relative(folder, file).startsWith("..") === false),
    );
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it("only an entry of the library re-exports, and a module of the AWS SDK, which keeps bundles small", () => {
    const barrels = files
      .filter(([, text]) => /^export (?:type )?(?:\*|\{[^}]*\}) from /m.test(text))
      .map(([file]) => file);
    const permitted = /^local\/library\/[\w-]+\.ts$|^shared\/adapters\/aws\/[\w-]+-sdk\.ts$/;
    expect(barrels.length).toBeGreaterThan(6);
    expect(barrels.filter((file) => !permitted.test(file))).toEqual([]);
  });

  it("an entry of the library has nothing of its own, and nothing here imports it", () => {
    const own = files.filter(([file]) => file.startsWith("local/library/"));
    expect(own.length).toBeGreaterThan(5);
    const reExports =
      /^\/\*\* .* \*\/\n(?:export (?:type )?\{[^}]*\} from "\.\.\/\.\.\/shared\/[\w./-]+";\n)+$/;
    expect(own.filter(([, text]) => !reExports.test(text)).map(([file]) => file)).toEqual([]);
    expect(imports.filter(({ target }) => target.startsWith("local/library/"))).toEqual([]);
  });

  it("one file alone adds to the types of another: the table of routes, for the clients of the API", () => {
    const files = [...new Set(imports.map(({ file }) => file))];
    const adding = files.filter((file) =>
      /^\s*declare (module|global)\b/m.test(readFileSync(join(root, file), "utf8")),
    );
    expect(adding).toEqual(["shared/operations/routes/routes.ts"]);
  });

  it("a page takes no value for another type than it has: answers are read by the types of their routes", () => {
    const pages = [...new Set(imports.map(({ file }) => file))].filter((file) =>
      /^shared\/[\w-]+\/pages\//.test(file),
    );
    expect(pages.length).toBeGreaterThan(25);
    const claims = pages.flatMap((file) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .filter((line) => !/^\s*(\*|\/\/|\/\*\*|import )/.test(line))
        .filter((line) => /\bas (any|unknown|never|keyof|string|number|[A-Z]\w*|\{)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(claims).toEqual([]);
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
