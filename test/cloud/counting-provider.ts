import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A request as its host has seen it; times by the host's clock. */
export interface RecordedExchange {
  /** Path and query. */
  path: string;
  /** Its start, in milliseconds since the epoch; the other times are those of `performance.now()`. */
  atMs: number;
  startMs: number;
  /** The last byte was sent, or the client was gone. */
  endMs: number;
  /** Others that were in progress when it came. */
  concurrent: number;
  isComplete: boolean;
}

export interface CountingProvider {
  port: number;
  /** By address, in the order in which the requests came. */
  exchanges: Map<string, RecordedExchange[]>;
  close(): Promise<void>;
}

/** What a host answers to the n-th request for a path, from 1. */
export type Reply = (
  address: string,
  path: string,
  time: number,
) =>
  | { status: number; headers?: Record<string, string>; body?: string; afterMs?: number }
  /** The connection is reset. */
  | "reset";

/** Hosts on addresses of their own, all on one port, that count their requests. */
export async function startProvider(addresses: string[], reply: Reply): Promise<CountingProvider> {
  const servers: Server[] = [];
  const seen = new Map<string, RecordedExchange[]>();
  let port = 0;
  for (const address of addresses) {
    const exchanges: RecordedExchange[] = [];
    seen.set(address, exchanges);
    const server = createServer(async ({ url = "/" }, outgoing) => {
      const besides = exchanges.filter(({ endMs }) => endMs === 0).length;
      const time = exchanges.filter(({ path }) => path === url).length + 1;
      const exchange = {
        path: url,
        atMs: Date.now(),
        startMs: performance.now(),
        endMs: 0,
        concurrent: besides,
        isComplete: false,
      };
      exchanges.push(exchange);
      keepTime(outgoing, exchange);
      const answer = reply(address, url, time);
      if (answer === "reset") return outgoing.socket?.resetAndDestroy();
      const { status, headers = {}, body = "", afterMs = 0 } = answer;
      if (afterMs > 0) await sleep(afterMs);
      const sentMs = performance.now();
      outgoing.writeHead(status, headers).end(body);
      // Not at `finish`: that comes when this thread, which also runs the emulators, is less busy; the client may be quicker.
      if (outgoing.socket?.writableLength === 0) exchange.endMs ||= sentMs;
    });
    server.listen(port, address);
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
    servers.push(server);
  }
  return {
    port,
    exchanges: seen,
    close: async () => {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function keepTime(outgoing: ServerResponse, exchange: RecordedExchange): void {
  let isOver = false;
  const end = (isComplete: boolean) => {
    if (isOver) return;
    isOver = true;
    exchange.endMs ||= performance.now();
    exchange.isComplete = isComplete;
  };
  outgoing.once("finish", () => end(true));
  outgoing.once("close", () => end(false));
}
