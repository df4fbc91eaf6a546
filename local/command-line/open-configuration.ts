import { tableNames, variables } from "../../shared/names.ts";
import type { ConfigurationStore } from "../../shared/sources/import-configuration.ts";
import { openCloud } from "../open-cloud.ts";

/** Where a configuration is kept: with the state of `npm start`, or in the deployed table. */
export type ConfigurationPlace = { type: "state"; stateDir: string } | { type: "aws" };

/** Opens the store, lets the work be done, and closes it. */
export async function withConfiguration<Result>(
  place: ConfigurationPlace,
  work: (store: ConfigurationStore) => Promise<Result>,
): Promise<Result> {
  if (place.type === "aws") {
    process.env[variables.configurationTable] ??= tableNames.configuration;
    return work(await loadStore());
  }
  const cloud = await openCloud({
    stateDir: place.stateDir,
    apiPort: 0,
    schedules: "none",
    polling: false,
    allowedPrivateHosts: [],
  });
  try {
    return await work(await loadStore());
  } finally {
    await cloud.stop();
  }
}

/** Not before its place is open: the AWS SDK finds its settings in the environment. */
async function loadStore(): Promise<ConfigurationStore> {
  const { configurationStore } = await import("../../shared/aws/config/configuration-store.ts");
  return configurationStore();
}

export const placeUsage = `  --state DIR   the state folder of npm start (default .ingather); it must not be running
  --aws         the deployed table instead, with the credentials and region of the environment`;

export const placeOptions = {
  state: { type: "string", default: ".ingather" },
  aws: { type: "boolean", default: false },
} as const;

export function placeOf(values: { state: string; aws: boolean }): ConfigurationPlace {
  return values.aws ? { type: "aws" } : { type: "state", stateDir: values.state };
}
