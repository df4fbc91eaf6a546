import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What a mock answers; a body that is not text is sent as JSON. */
export interface MockResponse {
  status?: number;
  body?: unknown;
  contentType?: string;
  headers?: Record<string, string>;
}

export interface MockRequest {
  method: string;
  path: string;
  body: string;
  contentType: string | undefined;
  userAgent: string | undefined;
}

/** A server on loopback that answers as configured and records its requests. */
export class MockHost {
  readonly requests: MockRequest[] = [];
  /** Requests in progress at the same time, at most. */
  maxConcurrent = 0;
  private underWay = 0;
  private readonly server: Server;

  private constructor(answer: (request: MockRequest) => MockResponse) {
    this.server = createServer(async (incoming, outgoing) => {
      this.underWay += 1;
      this.maxConcurrent = Math.max(this.maxConcurrent, this.underWay);
      const request = await readRequest(incoming);
      this.requests.push(request);
      const { status = 200, body = "", contentType = "text/html; charset=utf-8", headers } = answer(request);
      // Long enough for another request to come in meanwhile, were there one.
      await new Promise(setImmediate);
      this.underWay -= 1;
      const isText = typeof body === "string";
      outgoing.writeHead(status, { ...headers, "content-type": isText ? contentType : "application/json" });
      outgoing.end(isText ? body : JSON.stringify(body));
    });
  }

  static async start(answer: (request: MockRequest) => MockResponse): Promise<MockHost> {
    const host = new MockHost(answer);
    host.server.listen(0, "127.0.0.1");
    await once(host.server, "listening");
    return host;
  }

  get hostKey(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get origin(): string {
    return `http://${this.hostKey}`;
  }

  /** Stopped twice, nothing happens. */
  async stop(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, "close");
  }
}

async function readRequest(incoming: IncomingMessage): Promise<MockRequest> {
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    body: await text(incoming),
    contentType: incoming.headers["content-type"],
    userAgent: incoming.headers["user-agent"],
  };
}

/** A translation server that knows the answer to each address, and to the choices of each session. */
export function translator(
  answers: ReadonlyMap<string, MockResponse>,
): (request: MockRequest) => MockResponse {
  return ({ body }) => {
    const session = /"session":\s*"([^"]*)"/.exec(body)?.[1];
    const asked = session === undefined ? body : `SELECT ${session}`;
    return answers.get(asked) ?? { status: 501, body: "No translators available", contentType: "text/plain" };
  };
}
