import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedPages } from "./pages.ts";

for (const [path, page] of Object.entries(generatedPages)) {
  writeFileSync(join(import.meta.dirname, "../..", path), page());
  console.log(`wrote ${path}`);
}
