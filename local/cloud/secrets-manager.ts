import { existsSync, readFileSync } from "node:fs";
import { jsonResponse, type Service } from "./service.ts";

/**
 * Secrets Manager's GetSecretValue, from a JSON file that the user writes: an object from secret names to texts. The file
 * is read at every call.
 *
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */
export function createSecretsManager(file: string): Service {
  return async ({ body }) => {
    const { SecretId } = JSON.parse(body.toString()) as { SecretId: string };
    const secrets = existsSync(file)
      ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>)
      : {};
    const SecretString = secrets[SecretId];
    if (SecretString !== undefined) {
      return jsonResponse(200, { Name: SecretId, SecretString });
    }
    return jsonResponse(400, {
      __type: "ResourceNotFoundException",
      Message: "Secrets Manager can't find the specified secret.",
    });
  };
}
