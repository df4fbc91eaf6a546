import { globSync } from "node:fs";
import { join } from "node:path";

/** The files that write all data which AWS stores for Ingather, without `.ts`, relative to `shared/`. */
export const storeFiles = globSync(["adapters/**/*.ts", "api/*-store.ts", "*/stores/**/*.ts"], {
  cwd: join(import.meta.dirname, "../shared"),
}).map((file) => file.replace(/\.ts$/, ""));

/** Returns the path of a store by this name. */
export function pathOfStore(name: string): string {
  return join(import.meta.dirname, "../shared", `${name}.ts`);
}
