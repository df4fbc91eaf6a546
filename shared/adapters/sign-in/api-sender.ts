import type { SendToApi } from "../../console/api.ts";
import { createOwnHttp } from "./own-http.ts";

/** Sends requests to the HTTP API at this origin. */
export function apiSender(apiUrl: string): SendToApi {
  const ask = createOwnHttp([new URL(apiUrl).origin]);
  return ({ path, ...asked }) => ask({ ...asked, url: apiUrl + path });
}
