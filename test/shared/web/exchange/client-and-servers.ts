import { afterAll } from "vitest";
import { defaultAddressPolicy } from "../../../../shared/web/address/admit-url.ts";
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
} from "../../../../shared/web/exchange/http-client.ts";
import { limitsFor } from "../hostile-responses.ts";
import { type Behaviour, type RawServer, serveRaw } from "../servers.ts";

/** What is closed when the tests of a file have ended, some of which run at the same time; the last first. */
export const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A server on this machine, until the tests of the file end. */
export async function serve(behave: Behaviour): Promise<RawServer> {
  const server = await serveRaw(behave);
  closers.push(server.close);
  return server;
}

/** A patient client that may ask these hosts on this machine, until the tests of the file end. */
export function client(allowed: string[], options: Partial<HttpClientOptions> = {}): HttpClient {
  const policy = { ...defaultAddressPolicy, allowedPrivateHosts: new Set(allowed) };
  const made = createHttpClient({ policy, limits: limitsFor("none"), ...options });
  closers.push(made.close);
  return made;
}
