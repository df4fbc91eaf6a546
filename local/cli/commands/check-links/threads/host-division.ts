import { HostKeys } from "../link-origins.ts";

/** Assigns each host permanently to one of several owners. */
export class HostDivision {
  private readonly owners = new Map<string, number>();
  private readonly loads: number[];

  constructor(count: number) {
    this.loads = new Array(count).fill(0);
  }

  /** Divides URLs by host into parts of similar size. */
  divide(urls: readonly string[]): string[][] {
    const keys = new HostKeys();
    const byHost = Map.groupBy(urls, (url) => keys.of(url));
    const parts: string[][] = this.loads.map(() => []);
    for (const [key, own] of [...byHost].sort(([, a], [, b]) => b.length - a.length)) {
      parts[this.assign(key, own.length)]?.push(...own);
    }
    return parts;
  }

  /** Returns the owner of a host. A new host is assigned to the owner with the lowest load. */
  ownerOf(hostKey: string): number {
    return this.owners.get(hostKey) ?? this.assign(hostKey, 1);
  }

  private assign(hostKey: string, load: number): number {
    const least = this.loads.reduce((a, b, at, loads) => (b < (loads[a] as number) ? at : a), 0);
    this.loads[least] = (this.loads[least] as number) + load;
    this.owners.set(hostKey, least);
    return least;
  }
}
