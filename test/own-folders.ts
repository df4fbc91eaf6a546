import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Gives this process and all that it starts a home and a temporary folder of their own, which go with it: packages, and
 * tests that are killed, leave files there. Python finds its user's packages as before.
 */
export function useOwnFolders(): void {
  const root = mkdtempSync(join(tmpdir(), "ingather-tests-"));
  process.on("exit", () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  process.env.PYTHONUSERBASE ??= join(homedir(), ".local");
  for (const [variable, name] of Object.entries({ HOME: "home", TMPDIR: "tmp" })) {
    process.env[variable] = join(root, name);
    mkdirSync(join(root, name));
  }
}
