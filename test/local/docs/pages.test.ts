import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generatedPages } from "../../../local/docs/pages.ts";

const root = join(import.meta.dirname, "../../..");

it.each(Object.entries(generatedPages))("%s → as `npm run docs` writes it", (path, page) => {
  expect(readFileSync(join(root, path), "utf8")).toBe(page());
});
