import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigError } from "../shared/core/errors.ts";
import { functionNames, variables } from "../shared/names.ts";
import { loadAssembly } from "./assembly.ts";
import { type CloudOptions, type LocalCloud, startCloud } from "./cloud/cloud.ts";
import type { Faults } from "./cloud/faults.ts";
import type { FunctionLog } from "./cloud/lambda/function-log.ts";
import type { Meter } from "./cloud/meter.ts";
import type { ScheduleChoice } from "./cloud/scheduler/scheduler.ts";
import type { StartEmulators } from "./cloud/start-emulators.ts";
import { adviseOnState } from "./state-advice.ts";
import { createStateFolder } from "./state-folder.ts";

/** Settings of the gate that differ from production. */
export interface GateParameters {
  /** The host keys that may have private addresses. */
  allowedPrivateHosts: string[];
  /** The URL of a translation server. Default: Ingather reads pages itself. */
  translationServer?: string | undefined;
  /** The URL of an Apache Tika server. Default: the embedded detector. */
  tika?: string | undefined;
  /** The URL of a SPARQL endpoint that knows the published sets. Default: the sources determine them. */
  sparqlEndpoint?: string | undefined;
  defaultDelayMs?: number;
  attempts?: number;
  backoffBaseMs?: number;
  /** The maximum duration of an exchange. Default: as in production. */
  exchangeMaxMs?: number | undefined;
  /** The User-Agent header. Default: that of production. */
  userAgent?: string;
  /** The URLs of the network probe. Default: none; the network counts as up. */
  probeUrls?: string[];
}

/**
 * Starts the local cloud, and configures the AWS SDK of this process to use it as the operator. The adapters
 * of `shared/adapters/aws` must be loaded only afterwards.
 */
export async function openCloud(
  options: {
    stateDir: string;
    apiPort: number;
    schedules?: ScheduleChoice;
    polling?: boolean;
    onLog?: (line: FunctionLog) => void;
    faults?: Faults | undefined;
    meter?: Meter | undefined;
    /** The origin at which the console shows captures. Default: the console offers only downloads. */
    replayOrigin?: string | undefined;
    /** Whether SES sends only to verified addresses. */
    sesSandbox?: boolean;
    /** Whether schedules fire up to a minute late, as on AWS. */
    lateSchedules?: boolean;
    emulators?: StartEmulators | undefined;
    /** Settings of the deployment that replace those of `cdk.json`. */
    context?: Record<string, string>;
    concurrency?: CloudOptions["concurrency"];
    memoryMb?: CloudOptions["memoryMb"];
    onAccess?: CloudOptions["onAccess"];
    onEvent?: CloudOptions["onEvent"];
  } & GateParameters,
): Promise<LocalCloud> {
  const stateDir = resolve(options.stateDir);
  const { context = {} } = options;
  const { outdir } = await loadAssembly(join(import.meta.dirname, "../.ingather/build"), { context });
  const cloud = await startOrExplain({
    assemblyDir: outdir,
    stateDir,
    apiPort: options.apiPort,
    schedules: options.schedules ?? "all",
    polling: false,
    ...(options.onLog && { onLog: options.onLog }),
    ...(options.faults && { faults: options.faults }),
    ...(options.meter && { meter: options.meter }),
    ...(options.sesSandbox && { sesSandbox: true }),
    ...(options.lateSchedules && { lateSchedules: true }),
    ...(options.onAccess && { onAccess: options.onAccess }),
    ...(options.onEvent && { onEvent: options.onEvent }),
    ...(options.concurrency && { concurrency: options.concurrency }),
    ...(options.memoryMb && { memoryMb: options.memoryMb }),
    ...(options.emulators && { emulators: options.emulators }),
    // Delivered files are exported to a local folder, because there is no AWS console in which to find them.
    environment: {
      [functionNames.sendReport]: {
        [variables.deliveriesUrl]: `${pathToFileURL(join(stateDir, "deliveries")).href}/`,
      },
      // Locally, a bucket of folders is a directory.
      [functionNames.readUpload]: { [variables.foldersDirectory]: join(stateDir, "folders") },
      ...(options.replayOrigin !== undefined && {
        [functionNames.console]: { [variables.replayOrigin]: options.replayOrigin },
      }),
      ...(options.userAgent !== undefined && {
        [functionNames.sendRequests]: { [variables.userAgent]: options.userAgent },
      }),
    },
    parameters: {
      AllowedPrivateHosts: options.allowedPrivateHosts.join(","),
      TranslationServerUrl: options.translationServer ?? "",
      TikaUrl: options.tika ?? "",
      SparqlEndpoint: options.sparqlEndpoint ?? "",
      DefaultDelayMs: String(options.defaultDelayMs ?? 1000),
      RequestAttempts: String(options.attempts ?? 3),
      BackoffBaseMs: String(options.backoffBaseMs ?? 500),
      // Empty without --probe, so that the network counts as up and the demo works offline.
      ProbeUrls: (options.probeUrls ?? []).join(","),
      LastAttemptMinDelayMs: "0",
      ...(options.exchangeMaxMs !== undefined && { ExchangeMaxMs: String(options.exchangeMaxMs) }),
    },
  });
  Object.assign(process.env, cloud.adminEnvironment, cloud.variables);
  // Loaded late, because the AWS SDK reads its settings from the environment, which is set above.
  const { releaseLeases } = await import("../shared/adapters/aws/release-leases.ts");
  await releaseLeases();
  if (options.polling !== false) cloud.resumePolling();
  return cloud;
}

/** Opens a cloud without background work: no schedule fires, and no queue is polled. */
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

/** Starts the cloud. The messages of errors that users can fix say how. */
async function startOrExplain(options: CloudOptions): Promise<LocalCloud> {
  try {
    createStateFolder(options.stateDir);
    return await startCloud(options);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") {
      throw new ConfigError(
        `port ${options.apiPort} is taken: choose another port with --port, or 0 for any free port`,
      );
    }
    throw new ConfigError(
      `the state in ${options.stateDir} cannot be opened: ${adviseOnState(error, options.stateDir)}`,
    );
  }
}
