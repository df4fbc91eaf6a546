import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedPages } from "./pages.ts";

const root = join(import.meta.dirname, "../..");

for (const [path, page] of Object.entries(generatedPages)) {
  writeFileSync(join(root, path), page());
  console.log(`wrote ${path}`);
}
