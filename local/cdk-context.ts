import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../shared/core/errors.ts";
import { describeJsonError } from "./errors/describe-json-error.ts";

/**
 * Reads the context of the `cdk.json` of a folder: the settings of a deployment, as the CDK's command line
 * reads them.
 * @throws ConfigError if the file is not JSON
 */
export function readCdkContext(folder: string): Record<string, unknown> {
  const path = join(folder, "cdk.json");
  if (!existsSync(path)) return {};
  const text = readFileSync(path, "utf8");
  try {
    return JSON.parse(text).context ?? {};
  } catch (error) {
    throw new ConfigError(`${path} ${describeJsonError(error, text)}`);
  }
}
