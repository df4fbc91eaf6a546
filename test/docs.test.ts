import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** What describes the project as it is now; decisions and changes tell of what was. */
const documents = [
  "README.md",
  "docs/architecture.md",
  "docs/links.md",
  "docs/runbook.md",
  "docs/scaling.md",
];

const folders = "shared functions infra local test events bench docs".split(" ");
const paths = new Set(
  globSync(`{${folders.join(",")}}/**`, { cwd: root }).map((path) => path.replaceAll("\\", "/")),
);
const names = new Set([...paths].map((path) => basename(path)));

/** Files and folders that a text names in backquotes or links to: by a path from the root, or a file by its name alone. */
function named(text: string): string[] {
  const quoted = [...text.matchAll(/`([\w./-]+)`/g)].map(([, path = ""]) => path);
  return quoted.filter(
    (path) => folders.some((folder) => path.startsWith(`${folder}/`)) || /^[\w-]+\.ts$/.test(path),
  );
}

describe("documents", () => {
  it.each(documents)("%s names files that there are", (document) => {
    const wanting = named(readFileSync(join(root, document), "utf8")).filter(
      (path) => !paths.has(path.replace(/\/$/, "")) && !names.has(path),
    );
    expect(wanting).toEqual([]);
  });

  it("name enough for that to tell something", () => {
    const all = documents.flatMap((document) => named(readFileSync(join(root, document), "utf8")));
    expect(all.length).toBeGreaterThan(50);
  });

  it.each(documents)("%s links to files that there are", (document) => {
    const text = readFileSync(join(root, document), "utf8");
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#[^)\s]*)?\)/g)].map(([, to = ""]) => to);
    const wanting = links.filter(
      (to) => to !== "" && !paths.has(join(document, "..", to)) && to !== "CHANGELOG.md",
    );
    expect(wanting).toEqual([]);
  });

  it("of decisions → each in a paragraph of its own, which merges of two at the end of the file may run together", () => {
    const lines = readFileSync(join(root, "docs/decisions.md"), "utf8").split("\n");
    const openings = lines.flatMap((line, at) =>
      line.startsWith("**") ? [{ line, before: lines[at - 1] }] : [],
    );
    expect(openings.length).toBeGreaterThan(100);
    expect(openings.filter(({ before }) => before !== "")).toEqual([]);
  });

  it("of changes → nothing is told twice", () => {
    const changes = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^- /m).slice(1);
    expect(changes.length).toBeGreaterThan(100);
    expect(changes.filter((change, at) => changes.indexOf(change) < at)).toEqual([]);
  });

  it("start TypeScript with a Node that can run it, whatever the machine's own", () => {
    const texts = [...documents, "docs/performance.md", ...globSync("bench/*.ts", { cwd: root })];
    const wanting = texts.filter((path) =>
      /(?<!npx )\bnode [\w/-]+\.ts\b/.test(readFileSync(join(root, path), "utf8")),
    );
    expect(wanting).toEqual([]);
  });
});
