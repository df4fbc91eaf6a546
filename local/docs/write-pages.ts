import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedPages } from "./pages.ts";

const root = join(import.meta.dirname, "../..");

// Pages of subjects that are no more go.
rmSync(join(root, "docs/api"), { recursive: true, force: true });
mkdirSync(join(root, "docs/api"));
for (const [path, page] of Object.entries(generatedPages)) {
  writeFileSync(join(root, path), page());
  console.log(`wrote ${path}`);
}
