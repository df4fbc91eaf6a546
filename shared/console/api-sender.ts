import { createOwnHttp } from "../adapters/sign-in/own-http.ts";
import type { SendToApi } from "./api.ts";

/** Returns the function that sends requests to the HTTP API at this origin. */
export function apiSender(apiUrl: string): SendToApi {
  const ask = createOwnHttp([new URL(apiUrl).origin]);
  return ({ path, ...asked }) => ask({ ...asked, url: apiUrl + path });
}
