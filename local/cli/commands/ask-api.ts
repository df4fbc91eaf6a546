import { createOwnHttp, type OwnResponse } from "../../../shared/adapters/sign-in/own-http.ts";
import { ConfigError } from "../../../shared/core/errors.ts";
import { apiUrlVariable, machineLogin, requestToken } from "./machine-access.ts";

/**
 * Asks the API as an operator: that of the deployment that the environment names, else that of a running `npm start`.
 * @param stateDir the state folder of `npm start`
 * @param asked.body sent as JSON
 * @throws ConfigError when the address of the API is unknown; PlatformError when the API or its issuer does not answer
 */
export async function askApi(
  stateDir: string,
  { method, path, body }: { method: string; path: string; body: object },
): Promise<OwnResponse> {
  const login = machineLogin(stateDir);
  if (login.apiUrl === undefined)
    throw new ConfigError(`${apiUrlVariable} is missing: the address of the API, the output ApiUrl`);
  const { accessToken } = await requestToken(login, "operator");
  return createOwnHttp([new URL(login.apiUrl).origin])({
    method,
    url: `${login.apiUrl}${path}`,
    headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}
