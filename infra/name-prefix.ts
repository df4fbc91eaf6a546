import { ConfigError } from "../shared/core/errors.ts";

/**
 * Takes the prefix of all names from the setting `ingather:prefix`, before anything loads `names.ts`: names are constants
 * there, for templates and functions alike.
 * @param context the context of the CDK's command line, as JSON
 * @throws ConfigError
 * @see https://docs.aws.amazon.com/cdk/v2/guide/context.html
 */
export function setNamePrefix(context = process.env.CDK_CONTEXT_JSON ?? "{}"): void {
  const prefix: unknown = JSON.parse(context)["ingather:prefix"] ?? "ingather";
  // With the account and the region, the longest name of a bucket has 63 characters.
  if (typeof prefix !== "string" || !/^[a-z][a-z0-9-]{0,13}[a-z0-9]$/.test(prefix)) {
    throw new ConfigError(
      `context ingather:prefix: ${JSON.stringify(prefix)} must be 2 to 15 lower-case letters, digits and hyphens, and begin with a letter`,
    );
  }
  process.env.INGATHER_PREFIX = prefix;
}
