import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createGateway, type GatewayParts } from "./gateway.ts";
import { createHttpApi, type HttpApiParts } from "./http-api.ts";
import type { Shutdown } from "./shutdown.ts";

export interface Listeners {
  readonly gatewayUrl: string;
  readonly apiUrl: string;
  /** Requests wait until it is known what is behind the doors. */
  open(gateway: GatewayParts, api: HttpApiParts): void;
}

/** The two addresses of the cloud. They are part of names, and so exist before anything else does. */
export async function startListeners(apiPort: number, shutdown: Shutdown): Promise<Listeners> {
  const gateway = Promise.withResolvers<GatewayParts>();
  const api = Promise.withResolvers<HttpApiParts>();
  return {
    gatewayUrl: await listen(createGateway(gateway.promise), 0, shutdown),
    apiUrl: await listen(createHttpApi(api.promise), apiPort, shutdown),
    open: (gatewayParts, apiParts) => {
      gateway.resolve(gatewayParts);
      api.resolve(apiParts);
    },
  };
}

/** Listens for this machine only. */
async function listen(server: Server, port: number, shutdown: Shutdown): Promise<string> {
  server.keepAliveTimeout = 0; // A client never meets a connection that is just being closed.
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  shutdown.add(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
