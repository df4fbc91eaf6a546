import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Resolver } from "../cloudformation/resolver.ts";

/** The client of the templates that signs machines in with a secret. */
export interface MachineClient {
  readonly id: string;
  readonly secret: string;
  readonly scopes: readonly string[];
}

/**
 * The login with which a machine requests a token and uses the API. The state folder has it in a file that
 * `npx ingather token` and `npx ingather skip` read.
 */
export interface MachineLogin {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The address of the API, without a slash at its end. */
  readonly apiUrl?: string;
}

/** The name of the login file in the state folder. Only its owner may read it. */
export const machineLoginFile = "machine-client.json";

/**
 * Reads the client from the templates. Its secret is created once. The secret is stored in the state folder,
 * together with the addresses of the issuer and of the API, which change at each start.
 */
export function openMachineClient(
  resolver: Resolver,
  { stateDir, issuerUrl, apiUrl }: { stateDir: string; issuerUrl: string; apiUrl: string },
): MachineClient | undefined {
  const clients = resolver.resourcesOfType<{ AllowedOAuthFlows?: string[]; AllowedOAuthScopes?: string[] }>(
    "AWS::Cognito::UserPoolClient",
  );
  const found = clients.find(({ properties }) =>
    properties.AllowedOAuthFlows?.includes("client_credentials"),
  );
  if (found === undefined) return undefined;
  const file = join(stateDir, machineLoginFile);
  const secret = readMachineLogin(stateDir)?.clientSecret ?? randomBytes(24).toString("base64url");
  const login: MachineLogin = {
    tokenUrl: `${issuerUrl}/oauth2/token`,
    clientId: found.ref,
    clientSecret: secret,
    apiUrl,
  };
  writeFileSync(file, JSON.stringify(login), { mode: 0o600 });
  return { id: found.ref, secret, scopes: found.properties.AllowedOAuthScopes ?? [] };
}

/** Reads the login. @returns undefined if `npm start` was never run with this state folder */
export function readMachineLogin(stateDir: string): MachineLogin | undefined {
  try {
    return JSON.parse(readFileSync(join(stateDir, machineLoginFile), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
