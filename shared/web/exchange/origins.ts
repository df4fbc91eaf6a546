import type { Client } from "undici";

/** A server that we have, or had a moment ago, a connection to. */
export interface OpenOrigin {
  client: Client;
  /** Exchanges under way or in line. */
  inFlight: number;
  /** Set when an exchange broke: the next one gets a fresh connection, since a session of HTTP/2 may be left half dead. */
  isBroken: boolean;
  /** In the order of use: the lower, the longer ago. */
  lastUse: number;
}

/** One client per origin; beyond the limit those unused for longest are closed. */
export class OpenOrigins {
  private readonly origins = new Map<string, OpenOrigin>();
  private readonly open: (url: URL) => Client;
  private readonly max: number;
  private uses = 0;

  /** @param max origins kept; those with an exchange under way stay open above it */
  constructor(max: number, open: (url: URL) => Client) {
    this.max = max;
    this.open = open;
  }

  of(url: URL): OpenOrigin {
    const key = url.origin;
    const known = this.origins.get(key);
    const lastUse = this.uses++;
    if (known !== undefined && !known.isBroken) {
      known.lastUse = lastUse;
      return known;
    }
    if (known !== undefined) void known.client.close();
    else if (this.origins.size >= this.max) this.closeOldest();
    const origin = { client: this.open(url), inFlight: 0, isBroken: false, lastUse };
    this.origins.set(key, origin);
    return origin;
  }

  async close(): Promise<void> {
    const clients = [...this.origins.values()].map(({ client }) => client);
    this.origins.clear();
    await Promise.all(clients.map((client) => client.close()));
  }

  /** Looks at all of them: next to a new connection that is nothing, and far less is done for each exchange. */
  private closeOldest(): void {
    const unused = [...this.origins].filter(([, { inFlight }]) => inFlight === 0);
    const [first, ...others] = unused;
    if (first === undefined) return;
    const [key, { client }] = others.reduce((a, b) => (b[1].lastUse < a[1].lastUse ? b : a), first);
    this.origins.delete(key);
    void client.close();
  }
}
