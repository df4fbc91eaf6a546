import { defaultAddressPolicy } from "../../../../shared/web/address/admit-url.ts";
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
} from "../../../../shared/web/exchange/http-client.ts";
import { afterFile } from "../../../after-file.ts";
import { limitsFor } from "../hostile-responses.ts";
import { type Behaviour, type RawServer, serveRaw } from "../servers.ts";

/** A server on this machine, until the tests of the file end. */
export async function serve(behave: Behaviour): Promise<RawServer> {
  const server = await serveRaw(behave);
  afterFile(server.close);
  return server;
}

/** A patient client that may ask these hosts on this machine, until the tests of the file end. */
export function client(allowed: string[], options: Partial<HttpClientOptions> = {}): HttpClient {
  const policy = { ...defaultAddressPolicy, allowedPrivateHosts: new Set(allowed) };
  const made = createHttpClient({ policy, limits: limitsFor("none"), ...options });
  afterFile(made.close);
  return made;
}
