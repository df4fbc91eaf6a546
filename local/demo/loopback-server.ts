import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../shared/core/clock.ts";

export interface DemoRequest {
  /** The server's URL. */
  origin: string;
  method: string;
  /** The path, without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
}

export interface DemoResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request that was answered. */
interface HandledRequest {
  path: string;
  startedAt: Date;
  endedAt: Date;
  /** The status; 0 if the client disconnected before the response was complete. */
  status: number;
}

export interface LoopbackServer {
  /** The scheme, host and port, such as `http://127.0.0.1:4000`. */
  origin: string;
  /** Returns the requests in the order of their completion. */
  requests(): HandledRequest[];
  /** Returns the maximum number of concurrent requests so far. */
  maxConcurrent(): number;
  /** Closes all connections, including those that wait for a response. */
  close(): Promise<void>;
}

/**
 * Starts a web server on the loopback interface that logs its requests.
 * @param options.port 0 selects a free port
 * @throws Error (`EADDRINUSE`) when the port is taken
 */
export async function startLoopbackServer(
  options: { port: number; clock: Clock },
  respond: (request: DemoRequest) => Promise<DemoResponse>,
): Promise<LoopbackServer> {
  const handled: HandledRequest[] = [];
  let underWay = 0;
  let maxUnderWay = 0;

  const server = createServer(async (incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    const path = url.replace(/\?.*/, "");
    const startedAt = options.clock.now();
    underWay += 1;
    maxUnderWay = Math.max(maxUnderWay, underWay);
    outgoing.once("close", () => {
      underWay -= 1;
      const status = outgoing.writableFinished ? outgoing.statusCode : 0;
      handled.push({ path, startedAt, endedAt: options.clock.now(), status });
    });
    const query = new URL(url, "http://demo").searchParams;
    send(outgoing, await respond({ origin: originOf(server), method, path, query, headers }));
  });
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");

  return {
    origin: originOf(server),
    requests: () => [...handled],
    maxConcurrent: () => maxUnderWay,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function send(outgoing: ServerResponse, { status, headers, body }: DemoResponse): void {
  outgoing.statusCode = status;
  outgoing.setHeaders(new Map(Object.entries(headers))).end(body);
}
