import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generatedPages } from "../../../local/docs/pages.ts";

it.each(Object.entries(generatedPages))("%s → as `npm run docs` writes it", (path, page) => {
  expect(readFileSync(join(import.meta.dirname, "../../..", path), "utf8")).toBe(page());
});
