import type { Client } from "undici";
import type { WireTap } from "./tolerant/wire-tap.ts";

/** An origin with its client. The client may have an open connection. */
export interface OpenOrigin {
  client: Client;
  /** The tap on the client's connection. */
  tap: WireTap;
  /** The number of exchanges in progress or waiting. */
  inFlight: number;
  /**
   * Set when an exchange failed. The next exchange gets a new connection, because an HTTP/2 session may no longer work.
   */
  isBroken: boolean;
  /** When the last exchange ended; undefined before that. */
  endedAtMs?: number;
  /** The sequence number of the last use. The origin with the lowest number was used longest ago. */
  lastUse: number;
}

/**
 * The longest time for which a connection may be idle before its next use. The client closes idle connections by
 * timers, but timers do not run while Lambda has frozen the function. A request on a connection that the host has
 * closed in the meantime is lost.
 */
export const maxIdleMs = 4000;

/** Keeps one client per origin. Above the limit, the client that was used longest ago is closed. */
export class OpenOrigins {
  private readonly origins = new Map<string, OpenOrigin>();
  private readonly open: (url: URL) => Pick<OpenOrigin, "client" | "tap">;
  private readonly max: number;
  private readonly nowMs: () => number;
  private uses = 0;

  /** @param max the number of origins kept. Origins with an exchange in progress stay open even above this limit */
  constructor(max: number, open: (url: URL) => Pick<OpenOrigin, "client" | "tap">, nowMs = () => Date.now()) {
    this.nowMs = nowMs;
    this.max = max;
    this.open = open;
  }

  of(url: URL): OpenOrigin {
    const key = url.origin;
    const known = this.origins.get(key);
    const lastUse = this.uses++;
    if (known !== undefined && !known.isBroken && !this.isStale(known)) {
      known.lastUse = lastUse;
      return known;
    }
    if (known !== undefined) void known.client.close();
    else if (this.origins.size >= this.max) this.closeOldest();
    const origin = { ...this.open(url), inFlight: 0, isBroken: false, lastUse };
    this.origins.set(key, origin);
    return origin;
  }

  private isStale({ inFlight, endedAtMs }: OpenOrigin): boolean {
    return inFlight === 0 && endedAtMs !== undefined && this.nowMs() - endedAtMs > maxIdleMs;
  }

  async close(): Promise<void> {
    const clients = [...this.origins.values()].map(({ client }) => client);
    this.origins.clear();
    await Promise.all(clients.map((client) => client.close()));
  }

  /** Compares all origins, which costs little compared with a new connection. */
  private closeOldest(): void {
    const unused = [...this.origins].filter(([, { inFlight }]) => inFlight === 0);
    const [first, ...others] = unused;
    if (first === undefined) return;
    const [key, { client }] = others.reduce((a, b) => (b[1].lastUse < a[1].lastUse ? b : a), first);
    this.origins.delete(key);
    void client.close();
  }
}
