import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Gives this process and all processes that it starts a separate home folder and temporary folder, which are
 * deleted at the end, because packages and killed tests leave files there. Python still finds the packages of
 * its user.
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
