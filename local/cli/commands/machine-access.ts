import * as z from "zod";
import { createOwnHttp } from "../../../shared/adapters/sign-in/own-http.ts";
import { ConfigError, InputError, PlatformError } from "../../../shared/core/errors.ts";
import { parseJson } from "../../../shared/core/parse-json.ts";
import { type MachineLogin, readMachineLogin } from "../../cloud/cognito/machine-client.ts";
import { parseUrlArgument } from "./url-argument.ts";

export const machineRoles = ["viewer", "operator"] as const;
export type MachineRole = (typeof machineRoles)[number];

const variables = {
  tokenUrl: "INGATHER_TOKEN_URL",
  clientId: "INGATHER_CLIENT_ID",
  clientSecret: "INGATHER_CLIENT_SECRET",
} as const;

/** The variable with the address of the API; a token alone is issued without it. */
export const apiUrlVariable = "INGATHER_API_URL";

/**
 * What a machine needs to use the API: of the deployment that the environment names, else of `npm start` with a state folder.
 * @throws InputError when some of the variables are set, and not all
 * @throws ConfigError when there is neither
 */
export function machineLogin(stateDir: string): MachineLogin {
  return loginOf(process.env) ?? localLogin(stateDir);
}

function loginOf(environment: NodeJS.ProcessEnv): MachineLogin | undefined {
  const names = Object.values(variables);
  const apiUrl = environment[apiUrlVariable];
  if (!apiUrl && names.every((name) => !environment[name])) return undefined;
  for (const name of names) {
    if (!environment[name])
      throw new InputError(name, environment[name], "is missing: set all variables, or none");
  }
  const { tokenUrl, clientId, clientSecret } = variables;
  return {
    tokenUrl: parseUrlArgument(tokenUrl, environment[tokenUrl] ?? "").href,
    clientId: environment[clientId] ?? "",
    clientSecret: environment[clientSecret] ?? "",
    ...(apiUrl && { apiUrl: parseUrlArgument(apiUrlVariable, apiUrl).href.replace(/\/$/, "") }),
  };
}

function localLogin(stateDir: string): MachineLogin {
  const login = readMachineLogin(stateDir);
  if (login !== undefined) return login;
  throw new ConfigError(
    `npm start was never run with the state folder ${stateDir}; for a deployment, set ${Object.values(variables).join(", ")}`,
  );
}

export interface Token {
  accessToken: string;
  expiresAt: number;
}

const answered = z.object({ access_token: z.string(), expires_in: z.number() });

/** @throws PlatformError when the issuer refuses the client, or does not answer */
export async function requestToken(
  login: MachineLogin,
  role: MachineRole,
  signal?: AbortSignal,
): Promise<Token> {
  const { tokenUrl, clientId, clientSecret } = login;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  const { status, body } = await createOwnHttp([new URL(tokenUrl).origin])({
    method: "POST",
    url: tokenUrl,
    headers: { "content-type": "application/x-www-form-urlencoded", authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: `ingather/${role}` }).toString(),
    signal,
  });
  const { data } = answered.safeParse(parseJson(body));
  if (status !== 200 || data === undefined) {
    throw new PlatformError(
      `${tokenUrl} did not issue a token to client ${clientId}: ${status} ${body.slice(0, 200)}`,
    );
  }
  return { accessToken: data.access_token, expiresAt: Date.now() + data.expires_in * 1000 };
}
