import { globSync } from "node:fs";
import { join } from "node:path";

/** All that AWS stores for us is written by these files, without `.ts`, from `shared/`. */
export const storeFiles = globSync(["adapters/**/*.ts", "api/*-store.ts", "*/stores/**/*.ts"], {
  cwd: join(import.meta.dirname, "../shared"),
}).map((file) => file.replace(/\.ts$/, ""));

/** The file of such a name. */
export function pathOfStore(name: string): string {
  return join(import.meta.dirname, "../shared", `${name}.ts`);
}
