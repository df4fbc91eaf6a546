import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { openCloud } from "../../local/open-cloud.ts";

/** A folder of its own for the state of a test's cloud, deleted when the file's tests are done. */
export function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ingather-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A cloud that is stopped when the file's tests are done. */
export async function testCloud(
  stateDir: string,
  options: { allowedPrivateHosts?: string[]; polling?: boolean; translationServer?: string } = {},
): Promise<LocalCloud> {
  const cloud = await openCloud({
    stateDir,
    apiPort: 0,
    schedules: "none",
    allowedPrivateHosts: options.allowedPrivateHosts ?? [],
    ...(options.translationServer !== undefined && { translationServer: options.translationServer }),
    defaultDelayMs: 20,
    attempts: 2,
    backoffBaseMs: 20,
    ...(options.polling !== undefined && { polling: options.polling }),
  });
  afterAll(() => cloud.stop());
  return cloud;
}
