import { ConfigError } from "../shared/core/errors.ts";

/**
 * Reads the prefix of all names from the setting `ingather:prefix`. It must be called before `names.ts` is
 * loaded, because the names are constants in this module, for templates and functions alike.
 * @param context the context of the CDK's command line, as JSON
 * @throws ConfigError
 * @see https://docs.aws.amazon.com/cdk/v2/guide/context.html
 */
export function setNamePrefix(context = process.env.CDK_CONTEXT_JSON ?? "{}"): void {
  const prefix: unknown = JSON.parse(context)["ingather:prefix"] ?? "ingather";
  const refused = (reason: string) =>
    new ConfigError(`context ingather:prefix: ${JSON.stringify(prefix)} ${reason}`);
  // With this maximum, the longest name of a bucket, including the account and the region, has 63 characters.
  // The prefix cannot contain a hyphen: otherwise patterns such as `ingather-*`, in permissions or in a
  // teardown, would match the names of a deployment `ingather-test`.
  if (typeof prefix !== "string" || !/^[a-z][a-z0-9]{1,14}$/.test(prefix)) {
    throw refused("must be 2 to 15 lower-case letters and digits, and begin with a letter");
  }
  // Cognito refuses domains of user pools that contain these words.
  const reserved = prefix.match(/aws|amazon|cognito/)?.[0];
  if (reserved !== undefined) throw refused(`must not contain ${reserved}, which AWS reserves`);
  process.env.INGATHER_PREFIX = prefix;
}
