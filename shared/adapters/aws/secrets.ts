import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { ConfigError } from "../../core/errors.ts";
import type { Secrets } from "../../core/secrets.ts";

const secretsManager = new SecretsManagerClient({});

export function secrets(): Secrets {
  return {
    async secret(SecretId) {
      try {
        const { SecretString } = await secretsManager.send(new GetSecretValueCommand({ SecretId }));
        if (SecretString !== undefined) return SecretString;
      } catch (error) {
        if (!(error instanceof ResourceNotFoundException)) throw error;
      }
      throw new ConfigError(`there is no secret ${SecretId}, or it is not text`);
    },
  };
}
