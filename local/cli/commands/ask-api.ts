import { createOwnHttp, type OwnResponse } from "../../../shared/adapters/sign-in/own-http.ts";
import { ConfigError } from "../../../shared/core/errors.ts";
import { apiUrlVariable, machineLogin, requestToken, type Token } from "./machine-access.ts";

interface ApiRequest {
  method: string;
  path: string;
  /** Sent as JSON. */
  body?: object;
}

/** A token is renewed when it expires within this time. */
const renewalMs = 60_000;

/**
 * Returns a client of the API, as an operator: of the deployment that the environment names, else of a running `npm start`. The
 * client throws a PlatformError when the API or its issuer does not answer.
 * @param stateDir the state folder of `npm start`
 * @param signal ends requests
 * @throws ConfigError when the address of the API is unknown
 */
export function connectApi(
  stateDir: string,
  signal: AbortSignal,
): (asked: ApiRequest) => Promise<OwnResponse> {
  const { apiUrl, ...login } = machineLogin(stateDir);
  if (apiUrl === undefined)
    throw new ConfigError(`${apiUrlVariable} is missing: the address of the API, the output ApiUrl`);
  const http = createOwnHttp([new URL(apiUrl).origin]);
  let token: Token | undefined;
  return async ({ method, path, body }) => {
    if (token === undefined || token.expiresAt < Date.now() + renewalMs)
      token = await requestToken(login, "operator", signal);
    return http({
      method,
      url: `${apiUrl}${path}`,
      headers: { authorization: `Bearer ${token.accessToken}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
  };
}
