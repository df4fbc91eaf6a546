import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generatedPages } from "../../../local/docs/pages.ts";

const root = join(import.meta.dirname, "../../..");

it("docs/api has the pages of the subjects, and no other", () => {
  const generated = Object.keys(generatedPages).filter((path) => path.startsWith("docs/api/"));
  expect(globSync("docs/api/*", { cwd: root }).sort()).toEqual(generated.sort());
});

it.each(Object.entries(generatedPages))("%s → as `npm run docs` writes it", (path, page) => {
  expect(readFileSync(join(root, path), "utf8")).toBe(page());
});
