import { dynamodb } from "../../../shared/adapters/aws/dynamodb.ts";
import { prefix } from "../../../shared/names.ts";
import { CommandFailure } from "./command.ts";

/**
 * The exit code if the deployment cannot be reached, because the region or the credentials are missing or
 * wrong.
 */
const noAccessCode = 4;

/**
 * Runs work on the deployed tables.
 * @throws CommandFailure that says in one line what is missing, or what AWS refuses
 */
export async function withAws<Result>(work: () => Promise<Result>): Promise<Result> {
  const region = await resolved(
    async () => String(await dynamodb.config.region()),
    "no region: set AWS_REGION, or set AWS_PROFILE to a profile that has a region",
  );
  await resolved(
    dynamodb.config.credentials,
    "no credentials: sign in with aws sso login, or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
  );
  try {
    return await work();
  } catch (error) {
    throw isOfAws(error) ? noAccess(describe(error, region)) : error;
  }
}

async function resolved<Value>(value: () => Promise<Value>, problem: string): Promise<Value> {
  try {
    return await value();
  } catch (error) {
    throw noAccess(error instanceof Error ? `${problem} (${firstLine(error)})` : problem);
  }
}

/** Returns whether an error is a response of AWS, or an error of the connection to AWS. */
function isOfAws(error: unknown): error is Error {
  return error instanceof Error && "$metadata" in error;
}

function describe(error: Error, region: string): string {
  if (error.name === "ResourceNotFoundException") {
    return `the table does not exist in ${region}: deploy Ingather there, or set AWS_REGION to the region and INGATHER_PREFIX to the prefix of the deployment (now ${JSON.stringify(prefix)})`;
  }
  return `the request to AWS in ${region} failed: ${error.name}: ${firstLine(error)}`;
}

function noAccess(problem: string): CommandFailure {
  return new CommandFailure(`--aws: ${problem}`, noAccessCode);
}

function firstLine({ message }: Error): string {
  return message.split("\n", 1)[0] ?? "";
}
