import type { Client } from "undici";

/** A server that we have, or had a moment ago, a connection to. */
export interface OpenOrigin {
  client: Client;
  /** Exchanges under way or in line. */
  inFlight: number;
  /** Set when an exchange broke: the next one gets a fresh connection, since a session of HTTP/2 may be left half dead. */
  isBroken: boolean;
}

/** One client per origin; beyond the limit those unused for longest are closed. */
export class OpenOrigins {
  /** The one used longest ago first. */
  private readonly origins = new Map<string, OpenOrigin>();
  private readonly open: (url: URL) => Client;
  private readonly max: number;

  /** @param max origins kept; those with an exchange under way stay open above it */
  constructor(max: number, open: (url: URL) => Client) {
    this.max = max;
    this.open = open;
  }

  of(url: URL): OpenOrigin {
    const known = this.origins.get(url.origin);
    if (known !== undefined) {
      this.origins.delete(url.origin);
      if (known.isBroken) void known.client.close();
    } else if (this.origins.size >= this.max) {
      this.closeOldest();
    }
    const origin =
      known === undefined || known.isBroken
        ? { client: this.open(url), inFlight: 0, isBroken: false }
        : known;
    this.origins.set(url.origin, origin);
    return origin;
  }

  async close(): Promise<void> {
    const clients = [...this.origins.values()].map(({ client }) => client);
    this.origins.clear();
    await Promise.all(clients.map((client) => client.close()));
  }

  private closeOldest(): void {
    for (const [key, { client, inFlight }] of this.origins) {
      if (inFlight > 0) continue;
      this.origins.delete(key);
      void client.close();
      return;
    }
  }
}
