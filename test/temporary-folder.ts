import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterFile } from "./after-file.ts";

/** A folder of its own; gone when the tests of the file are over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "folder-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
