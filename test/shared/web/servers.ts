import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { listen } from "../../listen.ts";

/** What a server does with a connection once a request has come in; called for each request. */
export type Behaviour = (socket: Socket, request: string, connection: number) => void;

/** A server on loopback that says exactly what a test wants it to say. */
export interface RawServer {
  origin: string;
  hostKey: string;
  port: number;
  /** The requests as they came in, first to last. */
  requests: string[];
  connections: number;
  close(): Promise<void>;
}

export async function serveRaw(behave: Behaviour): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const raw: RawServer = {
    origin: "",
    hostKey: "",
    port: 0,
    requests: [],
    connections: 0,
    close: () => stop(server, sockets),
  };
  const server = createServer((socket) => {
    const connection = ++raw.connections;
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (data) => {
      raw.requests.push(data.toString("latin1"));
      behave(socket, data.toString("latin1"), connection);
    });
  });
  raw.origin = await listen(server);
  const { port, host } = new URL(raw.origin);
  raw.port = Number(port);
  raw.hostKey = host;
  return raw;
}

/** Writes a chunk again and again until the other side goes away. */
export function writeForever(socket: Socket, chunk: string | Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", more);
  more();
}

/** Writes a chunk every few milliseconds until the other side goes away. */
export function drip(socket: Socket, chunk: string): void {
  const timer = setInterval(() => socket.write(chunk), 10);
  socket.on("close", () => clearInterval(timer));
}

async function stop(server: Server, sockets: Set<Socket>): Promise<void> {
  server.close();
  for (const socket of sockets) socket.destroy();
  if (server.listening) await once(server, "close");
}
