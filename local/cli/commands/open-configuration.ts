import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, InputError } from "../../../shared/core/errors.ts";
import { tableNames, variables } from "../../../shared/names.ts";
import type { ImportPorts } from "../../../shared/records/sources/conf/import-configuration.ts";
import { isClone } from "../../installation.ts";

/** Where a configuration is stored: in the state folder of `npm start`, or in the deployed table. */
type ConfigurationLocation = { type: "state"; stateDir: string } | { type: "aws" };

/** Opens the store, does the work, and closes the store. Read-only work does not create a state folder. */
export async function withConfiguration<Result>(
  place: ConfigurationLocation,
  { isReadOnly }: { isReadOnly: boolean },
  work: (ports: ImportPorts) => Promise<Result>,
): Promise<Result> {
  if (place.type === "aws") {
    process.env[variables.configurationTable] ??= tableNames.configuration;
    process.env[variables.leasesTable] ??= tableNames.leases;
    process.env[variables.sourceQualityTable] ??= tableNames.sourceQuality;
    const { withAws } = await import("./with-aws.ts");
    return withAws(async () => work(await loadStores()));
  }
  if (!isClone) {
    throw new ConfigError(
      "Without --aws, this command reads the state that npm start has stored in a clone of Ingather. Run it in a clone, or add --aws.",
    );
  }
  const { openIdleCloud } = await import("../../open-cloud.ts");
  const isTemporary = isReadOnly && !existsSync(place.stateDir);
  const stateDir = isTemporary ? mkdtempSync(join(tmpdir(), "ingather-")) : place.stateDir;
  const cloud = await openIdleCloud(stateDir);
  try {
    return await work(await loadStores());
  } finally {
    await cloud.stop();
    if (isTemporary) rmSync(stateDir, { recursive: true });
  }
}

/**
 * The stores are imported late, because the AWS SDK reads environment variables that are set when the cloud
 * is opened.
 */
async function loadStores(): Promise<ImportPorts> {
  const { configurationStore } = await import("../../../shared/adapters/records/configuration-store.ts");
  const { leaseStore } = await import("../../../shared/adapters/aws/lease-store.ts");
  const { qualityStore } = await import("../../../shared/deliver/stores/quality-store.ts");
  return { configuration: configurationStore(), leases: leaseStore(), quality: qualityStore() };
}

export const locationUsage = `  --state DIR   use the state folder of npm start (default .ingather); first stop the npm start that uses it
  --aws         use the deployed table instead, with the credentials and region of the environment`;

export const locationOptions = {
  state: { type: "string", default: ".ingather" },
  aws: { type: "boolean", default: false },
} as const;

/** @throws InputError when the state is not in a folder */
export function parseLocation({ state, aws }: { state: string; aws: boolean }): ConfigurationLocation {
  if (aws) return { type: "aws" };
  if (state.trim() === "" || statSync(state, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new InputError("--state", state, "must name a folder");
  }
  return { type: "state", stateDir: state };
}
