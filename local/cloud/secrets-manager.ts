import { existsSync, readFileSync } from "node:fs";
import { type AccessRequest, accessTo } from "./iam/policy.ts";
import { arnOf, type CloudLocation } from "./location.ts";
import {
  inputOf,
  jsonError,
  jsonResponse,
  operationOf,
  type Service,
  type ServiceRequest,
  unsupported,
} from "./service.ts";

/**
 * Returns the permissions that a request to Secrets Manager needs. On AWS, a secret's ARN ends in six random
 * characters, which policies must allow for.
 * @throws Unsupported
 */
export function secretActions(request: ServiceRequest, location: CloudLocation): AccessRequest[] {
  const operation = operationOf(request);
  if (operation !== "GetSecretValue") unsupported("Secrets Manager", operation);
  const { SecretId = "" } = inputOf<{ SecretId?: string }>(request);
  return [
    accessTo("secretsmanager:GetSecretValue", arnOf(location, "secretsmanager", `secret:${SecretId}-Abc123`)),
  ];
}

/**
 * Creates Secrets Manager's GetSecretValue. The secrets are in a JSON file that the user writes: an object
 * from secret names to strings. The file is read at every call.
 *
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */
export function createSecretsManager(file: string): Service {
  return async (request) => {
    const { SecretId } = inputOf<{ SecretId: string }>(request);
    const secrets = existsSync(file)
      ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>)
      : {};
    const SecretString = secrets[SecretId];
    if (SecretString !== undefined) {
      return jsonResponse(200, { Name: SecretId, SecretString });
    }
    return jsonError("ResourceNotFoundException", "Secrets Manager can't find the specified secret.");
  };
}
