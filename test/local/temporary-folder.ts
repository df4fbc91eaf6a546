import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const root = mkdtempSync(join(tmpdir(), "local-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder of its own; gone when the tests of the file are over. */
export function temporaryFolder(): string {
  return mkdtempSync(join(root, "folder-"));
}
