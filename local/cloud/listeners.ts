import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpApi, type HttpApiParts } from "./api-gateway/http-api.ts";
import { createTokenIssuerServer, LocalTokenIssuer, type TokenIssuerParts } from "./cognito/token-issuer.ts";
import { createGateway, createGatewayServer, type Gateway, type GatewayParts } from "./gateway/gateway.ts";
import type { Shutdown } from "./shutdown.ts";

export interface Listeners {
  readonly gateway: Gateway;
  readonly gatewayUrl: string;
  readonly apiUrl: string;
  /** The URL at which people sign in. */
  readonly issuerUrl: string;
  /** Sets the handlers of all listeners. Earlier requests wait for them. */
  open(gateway: GatewayParts, api: HttpApiParts, issuer: TokenIssuerParts): LocalTokenIssuer;
}

/**
 * Opens the gateway, the HTTP API and the issuer of tokens. They are opened first, because the names of
 * resources contain their addresses.
 */
export async function startListeners(apiPort: number, shutdown: Shutdown): Promise<Listeners> {
  const gatewayParts = Promise.withResolvers<GatewayParts>();
  const gateway = createGateway(gatewayParts.promise);
  const api = Promise.withResolvers<HttpApiParts>();
  const issuer = Promise.withResolvers<LocalTokenIssuer>();
  const issuerUrl = await listen(createTokenIssuerServer(issuer.promise), 0, shutdown);
  return {
    gateway,
    issuerUrl,
    gatewayUrl: await listen(createGatewayServer(gateway), 0, shutdown),
    apiUrl: await listen(createHttpApi(api.promise), apiPort, shutdown),
    open: (ofGateway, apiParts, issuerParts) => {
      gatewayParts.resolve(ofGateway);
      api.resolve(apiParts);
      const localIssuer = new LocalTokenIssuer(issuerParts, issuerUrl);
      issuer.resolve(localIssuer);
      return localIssuer;
    },
  };
}

/** Listens on the loopback interface only. */
async function listen(server: Server, port: number, shutdown: Shutdown): Promise<string> {
  server.keepAliveTimeout = 0; // Disables the timeout, so that no client uses a connection that is being closed.
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  shutdown.add(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
