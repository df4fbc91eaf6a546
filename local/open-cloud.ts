import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigError } from "../shared/core/errors.ts";
import { functionNames, queueNames, variables } from "../shared/names.ts";
import { loadAssembly } from "./assembly.ts";
import { type CloudOptions, type LocalCloud, startCloud } from "./cloud/cloud.ts";
import type { FunctionLog } from "./cloud/function-log.ts";
import type { ScheduleChoice } from "./cloud/scheduler.ts";
import { adviseOnState } from "./state-advice.ts";

/** How the gate behaves here: as in production, but for hosts of ours, and for people who wait. */
export interface GateParameters {
  /** Host keys that may have private addresses. */
  allowedPrivateHosts: string[];
  /** The URL of a translation server; without one pages are read here. */
  translationServer?: string | undefined;
  /** The URL of an Apache Tika server; without one languages are detected here. */
  tika?: string | undefined;
  defaultDelayMs?: number;
  attempts?: number;
  backoffBaseMs?: number;
  /** How hosts see us; as in production when absent. */
  userAgent?: string;
  /** What is asked to see whether the network is up; nothing when absent: then it counts as up. */
  probeUrls?: string[];
}

/**
 * Starts the cloud on this machine, and has the AWS SDK of this process talk to it as its operator: the adapters of
 * `shared/adapters/aws` may be loaded after this, and not before.
 */
export async function openCloud(
  options: {
    stateDir: string;
    apiPort: number;
    schedules?: ScheduleChoice;
    polling?: boolean;
    onLog?: (line: FunctionLog) => void;
  } & GateParameters,
): Promise<LocalCloud> {
  const stateDir = resolve(options.stateDir);
  const { outdir } = await loadAssembly(join(import.meta.dirname, "../.ingather/build"));
  const cloud = await startOrExplain({
    assemblyDir: outdir,
    stateDir,
    apiPort: options.apiPort,
    schedules: options.schedules ?? "all",
    polling: false,
    ...(options.onLog && { onLog: options.onLog }),
    // Files are laid out here, where no console shows them.
    environment: {
      [functionNames.sendReport]: {
        [variables.deliveriesUrl]: `${pathToFileURL(join(stateDir, "deliveries")).href}/`,
      },
      ...(options.userAgent !== undefined && {
        [functionNames.sendRequests]: { [variables.userAgent]: options.userAgent },
      }),
    },
    parameters: {
      AllowedPrivateHosts: options.allowedPrivateHosts.join(","),
      TranslationServerUrl: options.translationServer ?? "",
      TikaUrl: options.tika ?? "",
      DefaultDelayMs: String(options.defaultDelayMs ?? 1000),
      RequestAttempts: String(options.attempts ?? 3),
      BackoffBaseMs: String(options.backoffBaseMs ?? 500),
      // People who wait see for themselves whether their network is up; a laptop without one harvests what it has.
      ProbeUrls: (options.probeUrls ?? []).join(","),
      LastAttemptMinDelayMs: "0",
    },
  });
  Object.assign(process.env, cloud.adminEnvironment, cloud.variables, {
    [variables.runStartsQueue]: `${cloud.gatewayUrl}/000000000000/${queueNames.runStarts}`,
  });
  // After the lines above, not before: the AWS SDK finds its settings in the environment.
  const { releaseLeases } = await import("../shared/adapters/aws/release-leases.ts");
  await releaseLeases();
  if (options.polling !== false) cloud.resumePolling();
  return cloud;
}

/** A cloud that does nothing by itself, for what its process asks of it: no schedule fires, no queue is read. */
export function openIdleCloud(
  stateDir: string,
  options: { onLog?: (line: FunctionLog) => void } = {},
): Promise<LocalCloud> {
  return openCloud({
    stateDir,
    apiPort: 0,
    schedules: "none",
    polling: false,
    allowedPrivateHosts: [],
    ...options,
  });
}

/** What may go wrong at a start for reasons that people can mend, in words that say how. */
async function startOrExplain(options: CloudOptions): Promise<LocalCloud> {
  try {
    return await startCloud(options);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") {
      throw new ConfigError(
        `port ${options.apiPort} is taken: choose another with --port, or 0 for any that is free`,
      );
    }
    throw new ConfigError(`the state in ${options.stateDir} cannot be opened: ${adviseOnState(error)}`);
  }
}
