import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import type { Faults } from "../../local/cloud/faults.ts";
import type { FunctionLog } from "../../local/cloud/lambda/function-log.ts";
import type { Meter } from "../../local/cloud/meter.ts";
import type { StartEmulators } from "../../local/cloud/start-emulators.ts";
import { openCloud } from "../../local/open-cloud.ts";
import { afterFile } from "../after-file.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { recordedPermissions } from "./permissions/recorder.ts";
import { startMotoEmulators } from "./second-emulator/moto-emulators.ts";

/** moto for all tests, in `npm run second-emulator`. */
function secondEmulator(): StartEmulators | undefined {
  return process.env.EMULATOR === "moto" ? startMotoEmulators : undefined;
}

/** A folder of its own for the state of a test's cloud, deleted when the file's tests are done. */
export function stateFolder(): string {
  return temporaryFolder();
}

interface TestCloudOptions {
  allowedPrivateHosts?: string[];
  polling?: boolean;
  translationServer?: string;
  sparqlEndpoint?: string;
  faults?: Faults;
  emulators?: StartEmulators;
  context?: Record<string, string>;
  concurrency?: { limit: number; onThrottle: () => void };
  onLog?: (line: FunctionLog) => void;
  replayOrigin?: string;
  meter?: Meter;
}

/** A cloud that is stopped when the file's tests are done. */
export async function testCloud(stateDir: string, options: TestCloudOptions = {}): Promise<LocalCloud> {
  const cloud = await openTestCloud(stateDir, options);
  afterFile(() => cloud.stop());
  return cloud;
}

let shared: Promise<LocalCloud> | undefined;

/**
 * The cloud that the files of one process share, each with ids of its own: to start one takes longer than the tests of a
 * store. No queue is read. It ends with the process.
 */
export function sharedCloud(): Promise<LocalCloud> {
  shared ??= openTestCloud(mkdtempSync(join(tmpdir(), "shared-cloud-")), { polling: false });
  return shared;
}

function openTestCloud(stateDir: string, options: TestCloudOptions): Promise<LocalCloud> {
  return openCloud({
    ...recordedPermissions(),
    stateDir,
    apiPort: 0,
    schedules: "none",
    allowedPrivateHosts: options.allowedPrivateHosts ?? [],
    ...(options.translationServer !== undefined && { translationServer: options.translationServer }),
    ...(options.sparqlEndpoint !== undefined && { sparqlEndpoint: options.sparqlEndpoint }),
    defaultDelayMs: 20,
    attempts: 2,
    backoffBaseMs: 20,
    faults: options.faults,
    emulators: options.emulators ?? secondEmulator(),
    ...(options.concurrency !== undefined && { concurrency: options.concurrency }),
    ...(options.onLog !== undefined && { onLog: options.onLog }),
    replayOrigin: options.replayOrigin,
    ...(options.context && { context: options.context }),
    ...(options.meter !== undefined && { meter: options.meter }),
    ...(options.polling !== undefined && { polling: options.polling }),
  });
}
